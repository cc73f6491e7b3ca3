// The macros of annotate.h mean the same, whatever macros a program has.
// RUN: %compare %s %t --std=c++11,c++17 | %trace
#include "work.h"
#include <loopscope/annotate.h>
#define loopscope 1
#define phase 2
#define draw
#define wait 11
#define fit nonsense +
#define epoch(x) x
#define train 5
#define valid 6
#define test 7
#define validate 8
#define predict 9
#define ignore 10

LOOPSCOPE_FIT void run() {
  LOOPSCOPE_EPOCH for (int e = 0; e < 1; ++e) {
    LOOPSCOPE_TRAIN("2") for (int i = 0; i < 1; ++i) {
      LOOPSCOPE_DRAW work("draw");
      LOOPSCOPE_PHASE("forward") work("forward");
      LOOPSCOPE_WAIT() work("wait");
    }
    LOOPSCOPE_VALID_LOOP for (int i = 0; i < 1; ++i) work("valid");
  }
}
LOOPSCOPE_IGNORE void ignored() { work("ignored"); }
LOOPSCOPE_TEST void tested() { work("test"); }

int main() {
  run();
  tested();
  LOOPSCOPE_VALIDATE work("validate");
  LOOPSCOPE_PREDICT work("predict");
  ignored();
}
// TRACE: fit(epoch(train(step(samples=2 draw(draw) ~forward(forward) ~wait(wait))) valid(step(valid))))
// TRACE: test(test)
// TRACE: validate(validate)
// TRACE: ~predict(predict)
// TRACE: ignored
