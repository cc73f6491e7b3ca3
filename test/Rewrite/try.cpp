// A try statement as a phase, with its handlers; phases in try and catch.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

int main() {
  [[loopscope::phase("try")]] try { work("a"); throw 1; } catch (int) { work("b"); }
  // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "try", [[@LINE-1]], "main"); try { work("a"); throw 1; } catch (int) { work("b"); }}
  work("-");
  try {
    [[loopscope::phase("in")]] work("c");
    throw 'x';
  } catch (char) {
    [[loopscope::phase("caught")]] work("d");
  }
}
// TRACE: try(a b)
// TRACE: -
// TRACE: in(c)
// TRACE: caught(d)
