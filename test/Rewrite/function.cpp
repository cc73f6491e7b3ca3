// A function is timed from its brace to its end, however it ends.
// RUN: %compare %s %t --std=c++11,c++17,c++20 | %trace
// RUN: %text
#include "work.h"

[[loopscope::phase("square")]] static int square(int x) {
  // CHECK: static int square(int x) {__LOOPSCOPE_SPAN(1, PHASE, "square", [[@LINE-1]], "square");
  work("a");
  if (x < 0)
    return 0;
  return x * x;
}

[[loopscope::phase("fail")]] static void fail() { if (square(2) == 4) throw 1; }
// CHECK: static void fail() {__LOOPSCOPE_SPAN(2, PHASE, "fail", [[@LINE-1]], "fail"); if (square(2) == 4) throw 1; }

int main() {
  try {
    fail();
  } catch (int) {
    return square(-1);
  }
}
// TRACE: fail(square(a))
// TRACE: square(a)
