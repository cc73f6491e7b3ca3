/* C: epoch and batch loops with samples, braced or not. */
/* RUN: %compare %s %t --std=c99,c11,c17 --quiet-raw=no | %trace */
/* RUN: %ctext */
#include "work.h"
#include <loopscope/annotate.h>

int main(void) {
  LOOPSCOPE_EPOCH
  for (int e = 0; e < 1; ++e) {
    /* CHECK: for (int e = 0; e < 1; ++e) {__LOOPSCOPE_SPAN(1, EPOCH, "epoch", [[@LINE-2]], "main"); */
    LOOPSCOPE_TRAIN("n") for (int i = 0; i < value("c", 2); ++i) {
      /* CHECK: LOOPSCOPE_TRAIN("n") {__LOOPSCOPE_SPAN(2, TRAIN, "train", [[@LINE-1]], "main"); for (int i = 0; i < value("c", 2); ++i) {__LOOPSCOPE_STEP(3, 2); */
      int n = value("load", 16);
      /* CHECK: int n = value("load", 16); __LOOPSCOPE_SAMPLES(3, n); */
      LOOPSCOPE_PHASE("forward") work("f");
      LOOPSCOPE_PHASE("backward") n += value("b", n);
      if (i == 0)
        continue;
    }
    int left = 1;
    LOOPSCOPE_VALID_LOOP while (left--)
      work("v");
    /* CHECK: {__LOOPSCOPE_STEP(7, 6); work("v");}} */
  }
}
/* TRACE: epoch(train(c step(load samples=16 forward(f) ~backward(b)) c step(load samples=16 forward(f) ~backward(b)) c) valid(step(v))) */
