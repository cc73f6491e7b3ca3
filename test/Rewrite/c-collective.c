/* C: a collective on a function, a statement and a declaration, with bytes and without. */
/* RUN: %compare %s %t --std=c99,c11,c17 --quiet-raw=no | %trace */
/* RUN: %ctext */
#include "work.h"
#include <loopscope/annotate.h>

LOOPSCOPE_COLLECTIVE_BYTES("reduce", "8 * n") static int reduce(int n) { return value("r", n); }
/* CHECK: LOOPSCOPE_COLLECTIVE_BYTES("reduce", "8 * n") static int reduce(int n) {__LOOPSCOPE_SPAN(1, COLLECTIVE, "reduce", [[@LINE-1]], "reduce"); __LOOPSCOPE_BYTES(1, 8 * n); return value("r", n); } */

int main(void) {
  LOOPSCOPE_COLLECTIVE("barrier") work("b");
  /* CHECK: LOOPSCOPE_COLLECTIVE("barrier") {__LOOPSCOPE_SPAN(2, COLLECTIVE, "barrier", [[@LINE-1]], "main"); work("b");} */
  work("-");
  LOOPSCOPE_COLLECTIVE_BYTES("gather", "16") int x = reduce(1);
  /* CHECK: LOOPSCOPE_COLLECTIVE_BYTES("gather", "16") __LOOPSCOPE_SPAN(3, COLLECTIVE, "gather", [[@LINE-1]], "main"); __LOOPSCOPE_BYTES(3, 16); int x = reduce(1); __LOOPSCOPE_END(3); */
  return x;
}
/* TRACE: barrier(b) */
/* TRACE: - */
/* TRACE: gather(bytes=16 reduce(bytes=8 r)) */
/* TRACE: exit code 1 */
