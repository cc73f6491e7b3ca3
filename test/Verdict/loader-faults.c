// A loader that touches fresh memory for each batch.
// RUN: %truth %s
// TRUTH: input-bound: draw: The wait for data is (100\.0|[89].\..)% in page faults
#include "truth.h"

static int load(int I) {
  fault(6000);
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
