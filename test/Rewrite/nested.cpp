// Phases nest; one that starts where its parent starts uses the parent's reading.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

[[loopscope::phase("outer")]] static void outer() {
  [[loopscope::phase("first")]] {
    // CHECK: {__LOOPSCOPE_SPAN_NEXT(2, PHASE, "first", [[@LINE-1]], "outer");
    work("a");
    [[loopscope::phase("second")]] work("b");
    // CHECK: {__LOOPSCOPE_SPAN(3, PHASE, "second", [[@LINE-1]], "outer"); work("b");}
  }
}

int main() {
  [[loopscope::phase("main")]] outer();
}
// TRACE: main(outer(~first(a second(b))))
