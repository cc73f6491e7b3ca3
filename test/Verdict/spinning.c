// A phase that polls a flag is on the processor.
// RUN: %truth %s
// TRUTH: compute-bound: poll: on the CPU
#include "truth.h"

static atomic_int Asked, Answered;

static void *answerer(void *Unused) {
  for (;;) {
    nap(5);
    Answered = Asked;
  }
  return Unused;
}

int main(void) {
  pthread_t Thread;
  pthread_create(&Thread, NULL, answerer, NULL);
  LOOP();
  for (int I = 0; I < 40; ++I) {
    STEP();
    {
      PHASE(3, poll); // HERE
      Asked = I + 1;
      while (Answered != I + 1)
        ;
    }
    PHASE(4, save);
    nap(1);
  }
  return finish();
}
