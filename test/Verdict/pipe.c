// A phase that reads from a slow pipe.
// RUN: %truth %s
// TRUTH: blocked: receive: waiting off the CPU
#include "truth.h"

static int Ends[2];

static void *writer(void *Unused) {
  char C = 0;
  do
    nap(1);
  while (write(Ends[1], &C, 1) == 1);
  return Unused;
}

int main(void) {
  pthread_t Thread;
  if (pipe(Ends) != 0 || pthread_create(&Thread, NULL, writer, NULL) != 0)
    return 1;
  LOOP();
  for (int I = 0; I < 30; ++I) {
    STEP();
    {
      PHASE(3, receive); // HERE
      char C;
      for (int K = 0; K < 8; ++K)
        if (read(Ends[0], &C, 1) != 1)
          return 1;
    }
    PHASE(4, forward);
    compute(2);
  }
  return finish();
}
