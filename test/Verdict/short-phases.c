// Phases too short to be measured take their step's figures.
// RUN: %truth %s
// TRUTH: compute-bound: layer: on the CPU
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
