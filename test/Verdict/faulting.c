// A phase that touches fresh memory each time.
// RUN: %truth %s
// TRUTH: fault-bound: allocate: in page faults \([0-9]+ of them
#include "truth.h"

int main(void) {
  LOOP();
  for (int I = 0; I < 30; ++I) {
    STEP();
    {
      PHASE(3, allocate); // HERE
      fault(6000);
    }
    PHASE(4, forward);
    compute(2);
  }
  return finish();
}
