// A loop whose head is a macro is refused if its braces can't be reached, otherwise timed.
// RUN: %compare %s %t | %trace
#include "work.h"

#define LOOP(N) for (int i = 0; i < N; ++i)
#define FOREVER for (;;)

int main() {
  [[loopscope::train("i")]] LOOP(2) { work("a"); }
  work("-");
  [[loopscope::epoch]] FOREVER {
    work("b");
    break;
  }
}
// TRACE: train(step(samples=0 a) step(samples=1 a))
// TRACE: -
// TRACE: epoch(b)
