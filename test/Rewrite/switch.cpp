// A switch as a phase, and phases after its case labels.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

int main() {
  for (int i = 0; i < 3; ++i)
    [[loopscope::phase("switch")]] switch (value("s", i)) {
      // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "switch", [[@LINE-1]], "main"); switch (value("s", i)) {
    case 0:
      [[loopscope::phase("zero")]] work("a");
      // CHECK: {__LOOPSCOPE_SPAN(2, PHASE, "zero", [[@LINE-1]], "main"); work("a");}
      break;
    case 1: [[loopscope::phase("one")]] {
      work("b");
      break;
    }
    default: [[loopscope::phase("many")]] work("c");
      // CHECK: default: {__LOOPSCOPE_SPAN(4, PHASE, "many", [[@LINE-1]], "main"); work("c");}
    }
    // CHECK: }}
}
// TRACE: switch(s zero(a))
// TRACE: switch(s one(b))
// TRACE: switch(s many(c))
