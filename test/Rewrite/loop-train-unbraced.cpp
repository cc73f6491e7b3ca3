// A batch loop without braces gets them; in while and do loops the condition is the draw.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

int main() {
  int i = 0;
  [[loopscope::train]] while (i++ < value("c", 1)) work("a");
  // CHECK: {__LOOPSCOPE_SPAN(1, TRAIN, "train", [[@LINE-1]], "main"); while (i++ < value("c", 1)) {__LOOPSCOPE_STEP(2, 1); work("a");}}
  work("-");
  [[loopscope::valid("3")]] do work("b"); while (value("d", i++) < 3);
  // CHECK: {__LOOPSCOPE_SPAN(3, VALID, "valid", [[@LINE-1]], "main"); do {__LOOPSCOPE_STEP(4, 3); __LOOPSCOPE_SAMPLES(4, 3); work("b");} while (value("d", i++) < 3);}
  work("-");
  [[loopscope::train]] for (int j = 0; j < 1; ++j)
    if (j) work("no"); else
      work("e");
      // CHECK: work("e");}}
}
// TRACE: train(c step(a) c)
// TRACE: -
// TRACE: valid(step(samples=3 b) d step(samples=3 b) d)
// TRACE: -
// TRACE: train(step(e))
