// A range-for as a phase, and a phase as its unbraced body.
// RUN: %compare %s %t --std=c++11,c++17,c++20 | %trace
#include "work.h"
#include <vector>

static std::vector<int> data(const char *w) { return {value(w, 1), 2}; }

int main() {
  int sum = 0;
  [[loopscope::phase("all")]] for (int x : data("a")) sum += value("b", x);
  work("-");
  for (const auto &x : data("c"))
    [[loopscope::phase("each")]] sum += value("d", x);
  return sum;
}
// TRACE: all(a b b)
// TRACE: -
// TRACE: c
// TRACE: each(d)
// TRACE: each(d)
// TRACE: exit code 6
