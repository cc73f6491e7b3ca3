// An attribute over several lines is blanked; its line breaks stay.
// RUN: %compare %s %t --quiet-raw=yes | %trace
// RUN: %text
#include "work.h"
#include <cstdio>

int main() {
  [[loopscope::phase( // the name
      "a"             /* of the phase */
      )]] work("x"); std::printf("%d\n", __LINE__);
  // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "a", [[@LINE-3]], "main"); work("x");} std::printf("%d\n", __LINE__);
  [[ /* odd */ loopscope
     :: phase("b" "c") ]] work("y");
  // CHECK: {__LOOPSCOPE_SPAN(2, PHASE, "bc", [[@LINE-2]], "main"); work("y");}
}
// TRACE: a(x)
// TRACE: bc(y)
