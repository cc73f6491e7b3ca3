// return out of a phase closes it after the value; a return can be the phase.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

static int f() {
  [[loopscope::phase("block")]] {
    work("a");
    return value("b", 1);
  }
}
static int g() { [[loopscope::phase("ret")]] return value("c", 2); }
// CHECK: static int g() { {__LOOPSCOPE_SPAN(2, PHASE, "ret", [[@LINE-1]], "g"); return value("c", 2);} }

[[loopscope::phase("h")]] static int h(int x) {
  if (x)
    [[loopscope::phase("early")]] return value("d", x);
    // CHECK: {__LOOPSCOPE_SPAN(4, PHASE, "early", [[@LINE-1]], "h"); return value("d", x);}
  return 0;
}

int main() { return f() + g() + h(4) + h(0); }
// TRACE: block(a b)
// TRACE: ret(c)
// TRACE: h(early(d))
// TRACE: h()
// TRACE: exit code 7
