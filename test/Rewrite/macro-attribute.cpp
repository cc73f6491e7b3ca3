// An attribute from a macro of the project applies to the code after it.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

#ifdef __LOOPSCOPE_REWRITER__
#define TIMED(NAME) [[loopscope::phase(NAME)]]
#else
#define TIMED(NAME)
#endif
#define FORWARD TIMED("forward")

FORWARD static void f() { work("a"); }
// CHECK: FORWARD static void f() {__LOOPSCOPE_SPAN(1, PHASE, "forward", [[@LINE-1]], "f"); work("a"); }

int main() {
  TIMED("s") work("b");
  // CHECK: TIMED("s") {__LOOPSCOPE_SPAN(2, PHASE, "s", [[@LINE-1]], "main"); work("b");}
  work("-");
  TIMED("d") int x = value("c", 0);
  f();
  return x;
}
// TRACE: s(b)
// TRACE: -
// TRACE: d(c)
// TRACE: forward(a)
