// Brace, parenthesis and missing initialisers are timed by a pair.
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
  // CHECK: LOOPSCOPE_SPAN_(1, PHASE, "brace", [[@LINE-1]], "main"); Two a{value("a", 1), 2}; LOOPSCOPE_END_(1);
  work("-");
  [[loopscope::phase("paren")]] Two b(value("b", 3), 4);
  // CHECK: LOOPSCOPE_SPAN_(2, PHASE, "paren", [[@LINE-1]], "main"); Two b(value("b", 3), 4); LOOPSCOPE_END_(2);
  work("-");
  [[loopscope::phase("list")]] std::vector<int> v = {value("c", 5), 6};
  // CHECK: LOOPSCOPE_SPAN_(3, PHASE, "list", [[@LINE-1]], "main"); std::vector<int> v = {value("c", 5), 6}; LOOPSCOPE_END_(3);
  work("-");
  [[loopscope::phase("none")]] Two n;
  // CHECK: LOOPSCOPE_SPAN_(4, PHASE, "none", [[@LINE-1]], "main"); Two n; LOOPSCOPE_END_(4);
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
