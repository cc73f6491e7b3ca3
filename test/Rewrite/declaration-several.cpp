// Several declarators are timed by a pair around the declaration.
// RUN: %compare %s %t --std=c++11,c++17 | %trace
// RUN: %text
#include "work.h"

int main() {
  [[loopscope::phase("two")]] int a = value("a", 1), b = value("b", 2);
  // CHECK: __LOOPSCOPE_SPAN(1, PHASE, "two", [[@LINE-1]], "main"); int a = value("a", 1), b = value("b", 2); __LOOPSCOPE_END(1);
  work("-");
  [[loopscope::phase("mixed")]] int *p = &a, c[2] = {value("c", 3), 4}, d;
  // CHECK: __LOOPSCOPE_SPAN(2, PHASE, "mixed", [[@LINE-1]], "main"); int *p = &a, c[2] = {value("c", 3), 4}, d; __LOOPSCOPE_END(2);
  d = *p;
  return a + b + c[0] + c[1] + d;
}
// TRACE: two(a b)
// TRACE: -
// TRACE: mixed(c)
// TRACE: exit code 11
