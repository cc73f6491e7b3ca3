/* C: guards with cleanup, a pair for every declaration, nothing for values. */
/* RUN: %compare %s %t --std=c99,c11,c17 --quiet-raw=no | %trace */
/* RUN: %ctext */
#include "work.h"
#include <loopscope/annotate.h>

LOOPSCOPE_PHASE("f") static int f(void) { return value("a", 1); }
/* CHECK: LOOPSCOPE_PHASE("f") static int f(void) {__LOOPSCOPE_SPAN(1, PHASE, "f", [[@LINE-1]], "f"); return value("a", 1); } */

int main(void) {
  LOOPSCOPE_PHASE("s") work("b");
  /* CHECK: LOOPSCOPE_PHASE("s") {__LOOPSCOPE_SPAN(2, PHASE, "s", [[@LINE-1]], "main"); work("b");} */
  work("-");
  LOOPSCOPE_PHASE("d") int x = f();
  /* CHECK: LOOPSCOPE_PHASE("d") __LOOPSCOPE_SPAN(3, PHASE, "d", [[@LINE-1]], "main"); int x = f(); __LOOPSCOPE_END(3); */
  work("-");
  LOOPSCOPE_PHASE("blk") { work("c"); }
  /* CHECK: LOOPSCOPE_PHASE("blk") {__LOOPSCOPE_SPAN(4, PHASE, "blk", [[@LINE-1]], "main"); work("c"); } */
  return x;
}
/* TRACE: s(b) */
/* TRACE: - */
/* TRACE: d(f(a)) */
/* TRACE: - */
/* TRACE: blk(c) */
/* TRACE: exit code 1 */
