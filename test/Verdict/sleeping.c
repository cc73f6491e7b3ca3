// A phase that sleeps.
// RUN: %truth %s
// TRUTH: blocked: nap: waiting off the CPU, [0-9]+ times\.
#include "truth.h"

int main(void) {
  LOOP();
  for (int I = 0; I < 40; ++I) {
    STEP();
    {
      PHASE(3, nap); // HERE
      nap(8);
    }
    PHASE(4, work);
    compute(2);
  }
  return finish();
}
