// Other attributes on the same statement move with it.
// RUN: %compare %s %t --std=c++20 | %trace
#include "work.h"

int main() {
  int n = value("n", 1);
  switch (n) {
  case 1:
    work("a");
    [[fallthrough]];
  case 2:
    [[loopscope::phase("b")]] work("b");
  }
  if (n > 0) [[likely, loopscope::phase("c")]] work("c");
  if (n > 0) [[loopscope::phase("d")]] [[likely]] { work("d"); }
}
// TRACE: n
// TRACE: a
// TRACE: b(b)
// TRACE: c(c)
// TRACE: d(d)
