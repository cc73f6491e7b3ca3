// Constant expressions stay constant expressions.
// RUN: %compare %s %t --std=c++11,c++17,c++20 | %trace
#include "work.h"

constexpr int three() { return 3; }

int main() {
  [[loopscope::phase("n")]] const int n = 1 + three();
  int array[n] = {value("a", 1), 2};
  static_assert(n == 4, "still a constant");
  [[loopscope::phase("c")]] constexpr int c = 3;
  [[loopscope::phase("e")]] const auto e = three();
  static_assert(e + c == 6, "still constants");
  switch (array[1]) {
  case n - 2: work("b");
  }
  [[loopscope::phase("run")]] const int r = value("r", 5);
  return r;
}
// TRACE: n()
// TRACE: a
// TRACE: c()
// TRACE: ~e()
// TRACE: b
// TRACE: run(r)
// TRACE: exit code 5
