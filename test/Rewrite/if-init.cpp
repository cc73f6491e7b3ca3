// An if or switch with an initialiser, if constexpr and if consteval are statements.
// RUN: %compare %s %t --std=c++17,c++20 | %trace
#include "work.h"

template <int N> static int pick() {
  [[loopscope::phase("constexpr")]] if constexpr (N == 1) return value("one", 1);
  else return value("other", 2);
}

int main() {
  [[loopscope::phase("init")]] if (int x = value("a", 1); x) work("b");
  work("-");
  [[loopscope::phase("switch")]] switch (int y = value("c", 2); y) {
  case 2: work("d"); break;
  default: work("no");
  }
  return pick<1>() + pick<3>();
}
// TRACE: init(a b)
// TRACE: -
// TRACE: switch(c d)
// TRACE: constexpr(one)
// TRACE: constexpr(other)
// TRACE: exit code 3
