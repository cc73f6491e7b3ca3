// Annotations in branches that the preprocessor skips are unchanged.
// RUN: %compare %s %t -DON | %trace
// RUN: %text
#include "work.h"

int main() {
#ifdef ON
  [[loopscope::phase("on")]] work("a");
  // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "on", [[@LINE-1]], "main"); work("a");}
#else
  [[loopscope::phase("off")]] work("b");
#endif
  [[loopscope::phase("part")]] value(
#ifdef ON
      "c", 1);
  // CHECK: "c", 1);}
#else
      "d", 1);
#endif
}
// TRACE: on(a)
// TRACE: part(c)
