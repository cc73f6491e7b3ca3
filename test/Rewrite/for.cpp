// A phase on a loop covers the whole loop, header included, braced or not.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

int main() {
  [[loopscope::phase("braced")]] for (int i = value("i", 0); i < value("c", 2); ++i) { work("a"); }
  // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "braced", [[@LINE-1]], "main"); for (int i = value("i", 0); i < value("c", 2); ++i) { work("a"); }}
  work("-");
  [[loopscope::phase("bare")]] for (int i = 0; i < 2; ++i)
    // CHECK: {__LOOPSCOPE_SPAN(2, PHASE, "bare", [[@LINE-1]], "main"); for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      work("b");
      // CHECK: work("b");}
  work("-");
  for (int i = 0; i < 2; ++i)
    [[loopscope::phase("body")]] work("c");
    // CHECK: {__LOOPSCOPE_SPAN(3, PHASE, "body", [[@LINE-1]], "main"); work("c");}
  [[loopscope::phase("nothing")]] for (int i = 0; i < 2; ++i);
  // CHECK: {__LOOPSCOPE_SPAN(4, PHASE, "nothing", [[@LINE-1]], "main"); for (int i = 0; i < 2; ++i);}
}
// TRACE: braced(i c a c a c)
// TRACE: -
// TRACE: bare(b b b b)
// TRACE: -
// TRACE: body(c)
// TRACE: body(c)
// TRACE: nothing()
