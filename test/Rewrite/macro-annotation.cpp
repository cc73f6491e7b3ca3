// The macros of annotate.h stay in the text; the statement after them is edited.
// RUN: %compare %s %t --std=c++11,c++17 --quiet-raw=no | %trace
// RUN: %text
#include "work.h"
#include <loopscope/annotate.h>

LOOPSCOPE_PHASE("f") static int f() { return value("a", 1); }
// CHECK: LOOPSCOPE_PHASE("f") static int f() {__LOOPSCOPE_SPAN(1, PHASE, "f", [[@LINE-1]], "f"); return value("a", 1); }

int main() {
  LOOPSCOPE_PHASE("s") work("b");
  // CHECK: LOOPSCOPE_PHASE("s") {__LOOPSCOPE_SPAN(2, PHASE, "s", [[@LINE-1]], "main"); work("b");}
  work("-");
  LOOPSCOPE_PHASE("d") int x = f();
  // CHECK: LOOPSCOPE_PHASE("d") __LOOPSCOPE_SPAN(3, PHASE, "d", [[@LINE-1]], "main"); int x = f(); __LOOPSCOPE_END(3);
  work("-");
  LOOPSCOPE_PREDICT LOOPSCOPE_PHASE("two") { work("c"); }
  // CHECK: LOOPSCOPE_PREDICT LOOPSCOPE_PHASE("two") {__LOOPSCOPE_SPAN(4, PREDICT, "predict", [[@LINE-1]], "main"); __LOOPSCOPE_SPAN_NEXT(5, PHASE, "two", [[@LINE-1]], "main"); work("c"); }
  return x;
}
// TRACE: s(b)
// TRACE: -
// TRACE: d(f(a))
// TRACE: -
// TRACE: predict(~two(c))
// TRACE: exit code 1
