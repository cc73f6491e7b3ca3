// Two phases that work, and one that sleeps a little.
// RUN: %truth %s
// TRUTH: compute-bound: backward: on the CPU
#include "truth.h"

int main(void) {
  LOOP();
  for (int I = 0; I < 30; ++I) {
    STEP();
    {
      PHASE(3, forward);
      compute(3);
    }
    {
      PHASE(4, backward); // HERE
      compute(6);
    }
    PHASE(5, save);
    nap(1);
  }
  return finish();
}
