// Several attributes in one list or several lists all apply, the first one outermost.
// RUN: %compare %s %t --std=c++17 | %trace
// RUN: %text
#include "work.h"

[[nodiscard, loopscope::phase("f"), loopscope::fit]] static int f() { return value("a", 0); }
// CHECK: {{\[\[nodiscard.*\]\]}} static int f() {__LOOPSCOPE_SPAN(1, PHASE, "f", [[@LINE-1]], "f"); __LOOPSCOPE_SPAN_NEXT(2, FIT, "fit", [[@LINE-1]], "f"); return value("a", 0); }

int main() {
  [[loopscope::phase("x"), loopscope::phase("y")]] work("b");
  work("-");
  [[loopscope::predict]] [[loopscope::phase("z")]] { work("c"); }
  work("-");
  [[loopscope::phase("loop"), loopscope::epoch]] for (int i = 0; i < 2; ++i) work("d");
  return f();
}
// TRACE: x(~y(b))
// TRACE: -
// TRACE: predict(~z(c))
// TRACE: -
// TRACE: loop(epoch(d) epoch(d))
// TRACE: f(~fit(a))
