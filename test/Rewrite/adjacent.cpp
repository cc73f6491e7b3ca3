// Phases that follow each other directly share one clock reading.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

int main() {
  [[loopscope::phase("a")]] work("1");
  // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "a", [[@LINE-1]], "main"); work("1");}

  // A comment between them changes nothing.
  [[loopscope::phase("b")]] { work("2"); }
  // CHECK: {__LOOPSCOPE_SPAN_NEXT(2, PHASE, "b", [[@LINE-1]], "main"); work("2"); }
  [[loopscope::phase("c")]] int x = value("3", 0);
  // CHECK: __LOOPSCOPE_SPAN_NEXT(3, PHASE, "c", [[@LINE-1]], "main"); int x = value("3", 0); __LOOPSCOPE_END(3);
  [[loopscope::phase("d")]] int y{value("4", 0)};
  // CHECK: __LOOPSCOPE_SPAN_NEXT(4, PHASE, "d", [[@LINE-1]], "main"); int y{value("4", 0)}; __LOOPSCOPE_END(4);
  [[loopscope::phase("e")]] work("5");
  // CHECK: {__LOOPSCOPE_SPAN_NEXT(5, PHASE, "e", [[@LINE-1]], "main"); work("5");}
  work("-");
  [[loopscope::phase("f")]] work("6");
  // CHECK: {__LOOPSCOPE_SPAN(6, PHASE, "f", [[@LINE-1]], "main"); work("6");}
  return x + y;
}
// TRACE: a(1)
// TRACE: ~b(2)
// TRACE: ~c(3)
// TRACE: ~d(4)
// TRACE: ~e(5)
// TRACE: -
// TRACE: f(6)
