// A batch loop has a guard around it and a step in its body: the header is its draw.
// RUN: %compare %s %t --std=c++11,c++17,c++20 | %trace
// RUN: %text
#include "work.h"

int main() {
  work("before");
  [[loopscope::train("8")]] for (int i = value("init", 0); i < value("c", 2); i += value("inc", 1)) {
    // CHECK: {__LOOPSCOPE_SPAN(1, TRAIN, "train", [[@LINE-1]], "main"); for (int i = value("init", 0); i < value("c", 2); i += value("inc", 1)) {__LOOPSCOPE_STEP(2, 1); __LOOPSCOPE_SAMPLES(2, 8);
    work("body");
  }
  // CHECK: }}
  work("after");
}
// TRACE: before
// TRACE: train(init c step(samples=8 body) inc c step(samples=8 body) inc c)
// TRACE: after
