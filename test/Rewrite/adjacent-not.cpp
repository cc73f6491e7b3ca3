// No reading is shared across a label, in branches, or after a phase that may be left early.
// RUN: %compare %s %t | %trace
#include "work.h"

int main() {
  int n = 0;
  [[loopscope::phase("a")]] work("1");
again:
  [[loopscope::phase("b")]] work("2");
  if (n == 1)
    [[loopscope::phase("c")]] work("3");
  else
    [[loopscope::phase("d")]] work("4");
  [[loopscope::phase("e")]] work("5");
  if (++n < 2)
    goto again;
}
// TRACE: a(1)
// TRACE: b(2)
// TRACE: d(4)
// TRACE: e(5)
// TRACE: b(2)
// TRACE: c(3)
// TRACE: e(5)
