// Without processor times there is no statement about a loop that sleeps.
// RUN: %truth %s cpu=off
// TRUTH: unknown: nap: wasn't recorded. LOOPSCOPE=cpu=auto records it
#include "truth.h"

int main(void) {
  LOOP();
  for (int I = 0; I < 10; ++I) {
    STEP();
    PHASE(3, nap); // HERE
    nap(5);
  }
  return finish();
}
