// A constant number of samples is known to the steps view, however short the steps are: times are in
// whole nanoseconds, and what rounding may do to the sum of rates is allowed for. Unequal ones
// aren't taken for equal.
// RUN: %gcc -O1 -Wall -Werror %runtime_include %s -o %t %runtime_lib
// RUN: for i in 1 2 3 4 5 6; do rm -f %t.p && env LOOPSCOPE=trace,report=none,output=%t.p %t && loopscope report %t.p --view steps --rows 1; done | grep '^train: ' | FileCheck %s --match-full-lines
// CHECK-COUNT-6: train: Samples/Second assumes 32 samples per step, which matches the run's sums.
// RUN: rm -f %t.p && env LOOPSCOPE=trace,report=none,output=%t.p %t unequal && loopscope report %t.p --view steps --rows 1 | FileCheck %s --check-prefix=UNEQUAL
// UNEQUAL: {{^}}train: no Samples/Second, because the run's sums don't show that each step had the same number of samples.
#include "Inputs/random.h"

int main(int count, char **values) {
  (void)values;
  volatile float sum = 0;
  SPAN(1, TRAIN, "train");
  for (int i = 0; i < 501; ++i) {
    STEP(2, 1, count > 1 ? 1 + i % 2 * 62 : 32);
    SPAN(3, PHASE, "forward");
    for (int left = 200 + i % 7 * 40; left != 0; --left)
      sum = sum + 1;
  }
  return 0;
}
