// A phase that waits for another thread's work, each time so long that reading the time
// without a CPU is within its budget on a slow machine, too.
// RUN: %truth %s
// TRUTH: blocked: join: waiting off the CPU, [0-9]+ times, ([5-9][0-9]|100).[0-9]% of it while other threads of the program computed
#include "truth.h"

static void *work(void *Unused) {
  compute(40);
  return Unused;
}

int main(void) {
  LOOP();
  for (int I = 0; I < 12; ++I) {
    STEP();
    pthread_t Thread;
    pthread_create(&Thread, NULL, work, NULL);
    {
      PHASE(3, forward);
      compute(5);
    }
    PHASE(4, join); // HERE
    pthread_join(Thread, NULL);
  }
  return finish();
}
