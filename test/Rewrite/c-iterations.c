/* C: how often a loop runs, of epochs and of batches. */
/* RUN: %compare %s %t --std=c99,c11,c17 --quiet-raw=no | %trace */
/* RUN: %ctext */
#include "work.h"
#include <loopscope/annotate.h>

int main(void) {
  int left = 2;
  LOOPSCOPE_EPOCH LOOPSCOPE_ITERATIONS("2") while (left--) {
    /* CHECK: LOOPSCOPE_EPOCH LOOPSCOPE_ITERATIONS("2") while (left--) {__LOOPSCOPE_SPAN(1, EPOCH, "epoch", [[@LINE-1]], "main"); __LOOPSCOPE_ITERATIONS(1, 2); */
    LOOPSCOPE_ITERATIONS("3 - left") LOOPSCOPE_TRAIN_LOOP for (int i = left; i < 3; ++i) work("t");
    /* CHECK: LOOPSCOPE_ITERATIONS("3 - left") LOOPSCOPE_TRAIN_LOOP {__LOOPSCOPE_SPAN(2, TRAIN, "train", [[@LINE-1]], "main"); __LOOPSCOPE_ITERATIONS(2, 3 - left); for (int i = left; i < 3; ++i) {__LOOPSCOPE_STEP(3, 2); work("t");}} */
  }
  return 0;
}
/* TRACE: epoch(iterations=2 train(iterations=2 step(t) step(t))) */
/* TRACE: epoch(iterations=2 train(iterations=3 step(t) step(t) step(t))) */
