// A whole statement in a macro argument is edited there; so is a whole use of a macro.
// RUN: %compare %s %t | %trace
// So are uses of our macros there.
// RUN: %text
#include "work.h"
#include <loopscope/annotate.h>

#define CHECKED(CALL) do { int code = (CALL); if (code) work("error"); } while (false)
#define BLOCK(...) { __VA_ARGS__ }
#define RUN() work("run")
#define RUN_SEMI work("semi");

int main() {
  [[loopscope::phase("a")]] CHECKED(value("x", 1));
  // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "a", [[@LINE-1]], "main"); CHECKED(value("x", 1));}
  work("-");
  BLOCK([[loopscope::phase("b")]] work("y"); work("z");)
  // CHECK: BLOCK( {__LOOPSCOPE_SPAN(2, PHASE, "b", [[@LINE-1]], "main"); work("y");} work("z");)
  [[loopscope::phase("c")]] RUN();
  // CHECK: {__LOOPSCOPE_SPAN(3, PHASE, "c", [[@LINE-1]], "main"); RUN();}
  work("-");
  [[loopscope::phase("d")]] RUN_SEMI
  // CHECK: {__LOOPSCOPE_SPAN(4, PHASE, "d", [[@LINE-1]], "main"); RUN_SEMI}
  work("-");
  [[loopscope::phase("e")]] BLOCK(work("v");)
  // CHECK: {__LOOPSCOPE_SPAN(5, PHASE, "e", [[@LINE-1]], "main"); BLOCK(work("v");)}
  BLOCK(work("s"); LOOPSCOPE_PHASE("f") work("t"); work("u");)
}
// TRACE: a(x error)
// TRACE: -
// TRACE: b(y)
// TRACE: z
// TRACE: c(run)
// TRACE: -
// TRACE: d(semi)
// TRACE: -
// TRACE: e(v)
// TRACE: s
// TRACE: f(t)
// TRACE: u
