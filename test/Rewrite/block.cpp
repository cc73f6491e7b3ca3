// A block's guard directly follows its brace; values declared in it end with it.
// RUN: %compare %s %t --std=c++11,c++14,c++17,c++20 | %trace
// RUN: %text
#include "work.h"

int main() {
  [[loopscope::phase("b")]] {
    // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "b", [[@LINE-1]], "main");
    work("x");
    work("y");
  }
  work("z");
  [[loopscope::phase("empty")]] {}
  // CHECK: {__LOOPSCOPE_SPAN(2, PHASE, "empty", [[@LINE-1]], "main");}
}
// TRACE: b(x y)
// TRACE: z
// TRACE: empty()
