// Phases that are too short to be measured have what their step has.
// RUN: %truth %s
// TRUTH: compute-bound: layer: on the processor
#include "truth.h"

int main(void) {
  LOOP();
  for (int I = 0; I < 60; ++I) {
    STEP();
    for (int K = 0; K < 200; ++K) {
      PHASE(3, layer); // HERE
      compute(0.02);
    }
  }
  return finish();
}
