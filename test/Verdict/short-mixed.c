// Short phases that compute and short ones that wait: only their step has figures, and
// the verdict names the measured span around them.
// RUN: %truth %s
// TRUTH: blocked: iterate: off the CPU
#include "truth.h"

int main(void) {
  LOOP();
  for (int I = 0; I < 30; ++I) {
    STEP();
    PHASE(3, iterate); // HERE
    for (int K = 0; K < 30; ++K) {
      {
        PHASE(4, layer);
        compute(0.005);
      }
      PHASE(5, pause);
      nap(0.06);
    }
  }
  return finish();
}
