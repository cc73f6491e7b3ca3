/* C: the operations of a function, a statement, a declaration and a loop's steps. */
/* RUN: %compare %s %t --std=c99,c11,c17 --quiet-raw=no | %trace */
/* RUN: %ctext */
#include "work.h"
#include <loopscope/annotate.h>

LOOPSCOPE_PHASE("dot") LOOPSCOPE_FLOPS("2 * n") static int dot(int n) { return value("d", n); }
/* CHECK: LOOPSCOPE_PHASE("dot") LOOPSCOPE_FLOPS("2 * n") static int dot(int n) {__LOOPSCOPE_SPAN(1, PHASE, "dot", [[@LINE-1]], "dot"); __LOOPSCOPE_AMOUNT(1, flops, 2 * n); return value("d", n); } */

int main(void) {
  LOOPSCOPE_FLOPS("1.5e9") LOOPSCOPE_PHASE("axpy") work("a");
  /* CHECK: LOOPSCOPE_FLOPS("1.5e9") LOOPSCOPE_PHASE("axpy") {__LOOPSCOPE_SPAN(2, PHASE, "axpy", [[@LINE-1]], "main"); __LOOPSCOPE_AMOUNT(2, flops, 1.5e9); work("a");} */
  work("-");
  LOOPSCOPE_PHASE("sum") LOOPSCOPE_FLOPS("16") int x = dot(1);
  /* CHECK: LOOPSCOPE_PHASE("sum") LOOPSCOPE_FLOPS("16") __LOOPSCOPE_SPAN(3, PHASE, "sum", [[@LINE-1]], "main"); __LOOPSCOPE_AMOUNT(3, flops, 16); int x = dot(1); __LOOPSCOPE_END(3); */
  LOOPSCOPE_TRAIN_LOOP LOOPSCOPE_FLOPS("6.0 * i") for (int i = 1; i < 3; ++i) work("t");
  /* CHECK: LOOPSCOPE_TRAIN_LOOP LOOPSCOPE_FLOPS("6.0 * i") {__LOOPSCOPE_SPAN(4, TRAIN, "train", [[@LINE-1]], "main"); for (int i = 1; i < 3; ++i) {__LOOPSCOPE_STEP(5, 4); __LOOPSCOPE_STEP_AMOUNT(5, flops, 6.0 * i); work("t");}} */
  return x;
}
/* TRACE: axpy(flops=1500000000 a) */
/* TRACE: - */
/* TRACE: sum(flops=16 dot(flops=2 d)) */
/* TRACE: train(step(flops=6 t) step(flops=12 t)) */
/* TRACE: exit code 1 */
