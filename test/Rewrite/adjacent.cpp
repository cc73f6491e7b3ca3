// Phases that follow each other directly share one clock reading.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

int main() {
  [[loopscope::phase("a")]] work("1");
  // CHECK: {LOOPSCOPE_SPAN_(1, PHASE, "a", [[@LINE-1]], "main"); work("1");}

  // A comment between them changes nothing.
  [[loopscope::phase("b")]] { work("2"); }
  // CHECK: {LOOPSCOPE_SPAN_NEXT_(2, PHASE, "b", [[@LINE-1]], "main"); work("2"); }
  [[loopscope::phase("c")]] int x = value("3", 0);
  // CHECK: LOOPSCOPE_SITE_(3, PHASE, "c", [[@LINE-1]], "main"); int x = (LOOPSCOPE_COMMA_NEXT_(3), value("3", 0));
  [[loopscope::phase("d")]] int y{value("4", 0)};
  // CHECK: LOOPSCOPE_SPAN_NEXT_(4, PHASE, "d", [[@LINE-1]], "main"); int y{value("4", 0)}; LOOPSCOPE_END_(4);
  [[loopscope::phase("e")]] work("5");
  // CHECK: {LOOPSCOPE_SPAN_NEXT_(5, PHASE, "e", [[@LINE-1]], "main"); work("5");}
  work("-");
  [[loopscope::phase("f")]] work("6");
  // CHECK: {LOOPSCOPE_SPAN_(6, PHASE, "f", [[@LINE-1]], "main"); work("6");}
  return x + y;
}
// TRACE: a(1)
// TRACE: ~b(2)
// TRACE: ~c(3)
// TRACE: ~d(4)
// TRACE: ~e(5)
// TRACE: -
// TRACE: f(6)
