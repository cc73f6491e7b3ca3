// Phases so short that hooks take most of their time.
// RUN: %truth %s
// TRUTH: profiler-bound: tiny: has [0-9]+ spans
#include "truth.h"

int main(void) {
  LOOP();
  volatile int Sum = 0;
  for (int I = 0; I < 40; ++I) {
    STEP();
    for (int K = 0; K < 100000; ++K) {
      PHASE(3, tiny); // HERE
      Sum = Sum + K;
    }
  }
  return finish();
}
