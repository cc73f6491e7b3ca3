// Epoch, train and valid loops nest as written; micro-steps are phases of a step.
// RUN: %compare %s %t | %trace
#include "work.h"

[[loopscope::fit]] static void fit() {
  [[loopscope::epoch]] for (int e = 0; e < 2; ++e) {
    [[loopscope::train("2")]] for (int b = 0; b < 2; ++b) {
      [[loopscope::phase("zero")]] work("z");
      for (int micro = 0; micro < 2; ++micro) {
        [[loopscope::phase("forward")]] work("f");
        [[loopscope::phase("backward")]] work("b");
      }
      [[loopscope::phase("step")]] work("s");
    }
    [[loopscope::valid]] for (int b = 0; b < 1; ++b)
      [[loopscope::phase("forward")]] work("v");
  }
}

int main() { fit(); }
// TRACE: fit(epoch([[TRAIN:.*]]) epoch([[TRAIN]]))
