// Each macro for loops and stages is equivalent to its attribute.
// RUN: %compare %s %t --quiet-raw=no | %trace
#include "work.h"
#include <loopscope/annotate.h>

LOOPSCOPE_IGNORE static int next(int i) { return value("n", i); }

LOOPSCOPE_FIT static void fit() {
  LOOPSCOPE_EPOCH for (int e = 0; e < 1; ++e) {
    LOOPSCOPE_TRAIN("4") for (int i = 0; next(i) < 1; ++i) { work("t"); LOOPSCOPE_DRAW work("d"); }
    LOOPSCOPE_VALID("i + 1") for (int i = 0; i < 1; ++i) work("v");
    LOOPSCOPE_TRAIN_LOOP for (int i = 0; i < 1; ++i) work("t");
    LOOPSCOPE_VALID_LOOP for (int i = 0; i < 1; ++i) work("v");
  }
}

int main() {
  fit();
  LOOPSCOPE_VALIDATE work("a");
  work("-");
  LOOPSCOPE_TEST work("b");
}
// TRACE: fit(epoch(train(n step(samples=4 t draw(d)) n) valid(step(samples=1 v)) train(step(t)) valid(step(v))))
// TRACE: validate(a)
// TRACE: -
// TRACE: test(b)
