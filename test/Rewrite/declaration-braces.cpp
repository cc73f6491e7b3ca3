// Initialisers with braces or parentheses, and missing ones, are timed by a pair.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"
#include <vector>

struct Two {
  Two() { work("none"); }
  Two(int x, int y) : sum(x + y) {}
  int sum = 0;
};

int main() {
  [[loopscope::phase("brace")]] Two a{value("a", 1), 2};
  // CHECK: __LOOPSCOPE_SPAN(1, PHASE, "brace", [[@LINE-1]], "main"); Two a{value("a", 1), 2}; __LOOPSCOPE_END(1);
  work("-");
  [[loopscope::phase("paren")]] Two b(value("b", 3), 4);
  // CHECK: __LOOPSCOPE_SPAN(2, PHASE, "paren", [[@LINE-1]], "main"); Two b(value("b", 3), 4); __LOOPSCOPE_END(2);
  work("-");
  [[loopscope::phase("list")]] std::vector<int> v = {value("c", 5), 6};
  // CHECK: __LOOPSCOPE_SPAN(3, PHASE, "list", [[@LINE-1]], "main"); std::vector<int> v = {value("c", 5), 6}; __LOOPSCOPE_END(3);
  work("-");
  [[loopscope::phase("none")]] Two n;
  // CHECK: __LOOPSCOPE_SPAN(4, PHASE, "none", [[@LINE-1]], "main"); Two n; __LOOPSCOPE_END(4);
  return a.sum + b.sum + v[0] + v[1] + n.sum;
}
// TRACE: brace(a)
// TRACE: -
// TRACE: paren(b)
// TRACE: -
// TRACE: list(c)
// TRACE: -
// TRACE: none(none)
// TRACE: exit code 21
