// A lambda's guard is in its body; it is timed when it is called.
// RUN: %compare %s %t --std=c++23 --no-warnings | %trace
// RUN: %text
#include "work.h"

template <typename F> static int apply(F f) { return f(1); }

int main() {
  auto f = [] [[loopscope::phase("l")]] (int x) { return value("a", x); };
  // CHECK: auto f = [] (int x) {__LOOPSCOPE_SPAN(1, PHASE, "l", [[@LINE-1]], "main::(lambda)"); return value("a", x); };
  work("made");
  f(1);
  int n = apply([&] [[loopscope::phase("g")]] (auto x) { return value("b", x); });
  return n + apply([](int x) { [[loopscope::phase("in")]] return value("c", x); });
}
// TRACE: made
// TRACE: l(a)
// TRACE: g(b)
// TRACE: in(c)
// TRACE: exit code 2
