// A loader that computes on the loop's own thread.
// RUN: %truth %s
// TRUTH: input-bound: draw: The wait for data is (100\.0|[89].\..)% on the CPU
#include "truth.h"

static int load(int I) {
  compute(8);
  return I < 30;
}

int main(void) {
  LOOP(); // HERE
  for (int I = 0; load(I); ++I) {
    STEP();
    PHASE(3, forward);
    compute(2);
  }
  return finish();
}
