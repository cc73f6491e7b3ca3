// A phase that waits for memory is on the processor; no more is known here.
// RUN: %truth %s
// TRUTH: compute-bound: gather: on the CPU
#include "truth.h"

enum { Entries = 1 << 22 };
static unsigned Next[Entries];

int main(void) {
  for (unsigned I = 0; I < Entries; ++I)
    Next[I] = (I * 2654435761U + 12345U)% Entries;
  LOOP();
  unsigned At = 0;
  for (int I = 0; I < 20; ++I) {
    STEP();
    {
      PHASE(3, gather); // HERE
      double End = seconds(CLOCK_THREAD_CPUTIME_ID) + 0.01;
      while (seconds(CLOCK_THREAD_CPUTIME_ID) < End)
        for (int K = 0; K < 1000; ++K)
          At = Next[At];
    }
    PHASE(4, save);
    nap(1);
  }
  return finish() + (At == Entries);
}
