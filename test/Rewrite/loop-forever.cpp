// Loops without a condition or an initialiser, and with an empty body.
// RUN: %compare %s %t | %trace
#include "work.h"

int main() {
  int i = 0;
  [[loopscope::train]] for (;;) {
    if (++i > 2) break;
    work("a");
  }
  work("-");
  [[loopscope::train]] for (; i < 4; ++i);
  work("-");
  [[loopscope::train("i")]] for (; i-- > 3;) {}
}
// TRACE: train(step(a) step(a) step())
// TRACE: -
// TRACE: train(step())
// TRACE: -
// TRACE: train(step(samples=3))
