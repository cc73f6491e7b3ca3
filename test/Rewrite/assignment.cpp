// Assignments, compound ones and std::tie keep their targets.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"
#include <tuple>

static std::tuple<int, int> both() { return {value("c", 3), 4}; }

int main() {
  int a, b = 1;
  [[loopscope::phase("set")]] a = value("a", 2);
  // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "set", [[@LINE-1]], "main"); a = value("a", 2);}
  work("-");
  [[loopscope::phase("add")]] b += value("b", 5);
  // CHECK: {__LOOPSCOPE_SPAN(2, PHASE, "add", [[@LINE-1]], "main"); b += value("b", 5);}
  work("-");
  int c, d;
  [[loopscope::phase("tie")]] std::tie(c, d) = both();
  // CHECK: {__LOOPSCOPE_SPAN(3, PHASE, "tie", [[@LINE-1]], "main"); std::tie(c, d) = both();}
  return a + 10 * b + c + d;
}
// TRACE: set(a)
// TRACE: -
// TRACE: add(b)
// TRACE: -
// TRACE: tie(c)
// TRACE: exit code 69
