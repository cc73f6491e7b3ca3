// A phase on an if covers its condition and all branches.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

int main() {
  for (int i = 0; i < 3; ++i)
    [[loopscope::phase("if")]] if (value("c", i) == 0) work("zero");
    // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "if", [[@LINE-1]], "main"); if (value("c", i) == 0) work("zero");
    else if (i == 1) { work("one"); }
    // CHECK: else if (i == 1) { work("one"); }
    else work("more");
    // CHECK: else work("more");}
}
// TRACE: if(c zero)
// TRACE: if(c one)
// TRACE: if(c more)
