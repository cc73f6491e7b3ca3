// while and do loops as phases, and phases as their unbraced bodies.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

int main() {
  int i = 0;
  [[loopscope::phase("while")]] while (++i < value("c", 3)) work("a");
  // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "while", [[@LINE-1]], "main"); while (++i < value("c", 3)) work("a");}
  work("-");
  while (i-- > 2)
    [[loopscope::phase("body")]] work("b");
    // CHECK: {__LOOPSCOPE_SPAN(2, PHASE, "body", [[@LINE-1]], "main"); work("b");}
  [[loopscope::phase("do")]] do work("d"); while (value("e", 0));
  // CHECK: {__LOOPSCOPE_SPAN(3, PHASE, "do", [[@LINE-1]], "main"); do work("d"); while (value("e", 0));}
  work("-");
  do [[loopscope::phase("dobody")]] work("f"); while (i-- > 0);
  // CHECK: do {__LOOPSCOPE_SPAN(4, PHASE, "dobody", [[@LINE-1]], "main"); work("f");} while (i-- > 0);
}
// TRACE: while(c a c a c)
// TRACE: -
// TRACE: body(b)
// TRACE: do(d e)
// TRACE: -
// TRACE: dobody(f)
// TRACE: dobody(f)
