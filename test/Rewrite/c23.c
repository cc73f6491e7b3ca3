/* C23: raw attributes. */
/* RUN: %compare %s %t --std=c2x --no-warnings | %trace */
/* RUN: %ctext */
#include "work.h"

[[loopscope::phase("f")]] static int f(void) { return value("a", 1); }
/* CHECK: static int f(void) {__LOOPSCOPE_SPAN(1, PHASE, "f", [[@LINE-1]], "f"); return value("a", 1); } */

int main(void) {
  [[loopscope::phase("d")]] int x = f();
  /* CHECK: __LOOPSCOPE_SPAN(2, PHASE, "d", [[@LINE-1]], "main"); int x = f(); __LOOPSCOPE_END(2); */
  [[loopscope::train("x")]] for (int i = 0; i < 1; ++i) [[loopscope::phase("s")]] work("b");
  return x;
}
/* TRACE: d(f(a)) */
/* TRACE: train(step(samples=1 ~s(b))) */
/* TRACE: exit code 1 */
