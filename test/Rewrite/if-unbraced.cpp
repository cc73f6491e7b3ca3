// A phase as the only statement of an if or else gets braces; else binds as before.
// RUN: %compare %s %t --no-warnings | %trace
// RUN: %text
#include "work.h"

int main() {
  for (int i = 0; i < 4; ++i)
    if (i) {
      if (i == 1)
        [[loopscope::phase("then")]] work("a");
        // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "then", [[@LINE-1]], "main"); work("a");}
      else if (i == 2)
        [[loopscope::phase("elseif")]] work("b");
        // CHECK: {__LOOPSCOPE_SPAN(2, PHASE, "elseif", [[@LINE-1]], "main"); work("b");}
      else
        [[loopscope::phase("else")]] work("c");
        // CHECK: {__LOOPSCOPE_SPAN(3, PHASE, "else", [[@LINE-1]], "main"); work("c");}
    }
}
// TRACE: then(a)
// TRACE: elseif(b)
// TRACE: else(c)
