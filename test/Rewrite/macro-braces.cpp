// A macro whose whole expansion begins or ends a phase is supported.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"
#define BEGIN {
#define END }

int main() {
  [[loopscope::phase("a")]] BEGIN work("x"); }
  // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "a", [[@LINE-1]], "main"); BEGIN work("x"); }}
  work("-");
  [[loopscope::phase("b")]] { work("y"); END
  // CHECK: {__LOOPSCOPE_SPAN(2, PHASE, "b", [[@LINE-1]], "main"); { work("y"); END}
}
// TRACE: a(x)
// TRACE: -
// TRACE: b(y)
