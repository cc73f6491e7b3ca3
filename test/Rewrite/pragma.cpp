// Nothing is inserted between a pragma and its loop, although the loop's body is edited.
// RUN: %compare %s %t --only=g++ | %trace
// RUN: %text
#include "work.h"

int main() {
  int sum = 0;
  [[loopscope::phase("all")]] {
#pragma GCC unroll 4
    for (int i = 0; i < 2; ++i) [[loopscope::phase("in")]] sum += value("a", i);
    // CHECK: for (int i = 0; i < 2; ++i) {__LOOPSCOPE_SPAN(2, PHASE, "in", [[@LINE-1]], "main"); sum += value("a", i);}
  }
#pragma GCC diagnostic push
  [[loopscope::phase("other")]] for (int i = 0; i < 1; ++i) work("b");
#pragma GCC diagnostic pop
  return sum;
}
// TRACE: all(in(a) in(a))
// TRACE: other(b)
// TRACE: exit code 1
