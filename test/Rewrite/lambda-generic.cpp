// Statements in generic lambdas are edited once and timed in each instantiation.
// RUN: %compare %s %t --std=c++14,c++17,c++20 | %trace
#include "work.h"

int main() {
  auto each = [](auto x) {
    [[loopscope::phase("a")]] work("w");
    [[loopscope::phase("b")]] auto y = value("v", static_cast<int>(x));
    return y;
  };
  each(1L);
  each('c');
}
// TRACE: a(w)
// TRACE: ~b(v)
// TRACE: a(w)
// TRACE: ~b(v)
