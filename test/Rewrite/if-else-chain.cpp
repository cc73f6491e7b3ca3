// A phase on the if after an else covers the rest of the chain.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

int main() {
  for (int i = 0; i < 3; ++i)
    if (value("c", i) == 0)
      work("a");
    else [[loopscope::phase("rest")]] if (value("d", i) == 1)
      // CHECK: else {__LOOPSCOPE_SPAN(1, PHASE, "rest", [[@LINE-1]], "main"); if (value("d", i) == 1)
      work("b");
    else
      work("e");
      // CHECK: work("e");}
}
// TRACE: c
// TRACE: a
// TRACE: c
// TRACE: rest(d b)
// TRACE: c
// TRACE: rest(d e)
