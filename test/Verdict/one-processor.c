// Two computing threads share a processor.
// RUN: %truth %s
// TRUTH: starved: forward: ready to run but without a CPU
#include "truth.h"

int main(void) {
  stayHere();
  pthread_t Thread;
  pthread_create(&Thread, NULL, computeForever, NULL);
  LOOP();
  for (int I = 0; I < 12; ++I) {
    STEP();
    PHASE(3, forward); // HERE
    compute(20);
  }
  return finish();
}
