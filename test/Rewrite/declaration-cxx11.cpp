// Before C++17 a comma would copy or move a class, so a pair is used, in the same scope.
// RUN: %compare %s %t --std=c++11,c++14 | %trace
// RUN: %text
#include "work.h"
#include <memory>

struct Loud {
  Loud() { work("make"); }
  Loud(const Loud &) { work("copy"); }
};
static Loud loud() { return {}; }

int main() {
  [[loopscope::phase("class")]] Loud l = loud();
  // CHECK: __LOOPSCOPE_SPAN(1, PHASE, "class", [[@LINE-1]], "main"); Loud l = loud(); __LOOPSCOPE_END(1);
  work("-");
  [[loopscope::phase("unique")]] std::unique_ptr<int> p = std::unique_ptr<int>(new int(value("u", 1)));
  work("-");
  [[loopscope::phase("life")]] const Loud &r = loud();
  work("-");
  [[loopscope::phase("scalar")]] int s = value("s", 2);
  // CHECK: __LOOPSCOPE_SPAN(4, PHASE, "scalar", [[@LINE-1]], "main"); int s = value("s", 2); __LOOPSCOPE_END(4);
  (void)l, (void)r;
  return s + *p;
}
// TRACE: class(make)
// TRACE: -
// TRACE: unique(u)
// TRACE: -
// TRACE: life(make)
// TRACE: -
// TRACE: scalar(s)
// TRACE: exit code 3
