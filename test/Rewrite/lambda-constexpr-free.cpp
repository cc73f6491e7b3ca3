// An unannotated lambda stays usable in constant expressions.
// RUN: %compare %s %t --std=c++20 | %trace
#include "work.h"

int main() {
  auto twice = [](int x) { return 2 * x; };
  static_assert(twice(2) == 4);
  [[loopscope::phase("a")]] constexpr auto four = [](int x) { return 2 * x; };
  static_assert(four(2) == 4);
  [[loopscope::phase("b")]] int n = value("w", twice(1));
  return n;
}
// TRACE: a()
// TRACE: b(w)
// TRACE: exit code 2
