// A loader that computes and has to share its processor.
// RUN: %truth %s
// TRUTH: input-bound: draw: The wait for data is .*[1-9].\..% without a CPU
#include "truth.h"

static int load(int I) {
  compute(20);
  return I < 12;
}

int main(void) {
  stayHere();
  pthread_t Thread;
  pthread_create(&Thread, NULL, computeForever, NULL);
  LOOP(); // HERE
  for (int I = 0; load(I); ++I) {
    STEP();
    PHASE(3, forward);
    compute(3);
  }
  return finish();
}
