// Structured bindings of tuples, structs and arrays stay bindings.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"
#include <tuple>

struct Pair { int x, y; };
static Pair pair() { return {value("p", 1), 2}; }
static std::tuple<int, int> tuple() { return {value("t", 3), 4}; }

int main() {
  [[loopscope::phase("s")]] auto [a, b] = pair();
  // CHECK: __LOOPSCOPE_SPAN(1, PHASE, "s", [[@LINE-1]], "main"); auto [a, b] = pair(); __LOOPSCOPE_END(1);
  work("-");
  [[loopscope::phase("t")]] const auto &[c, d] = tuple();
  work("-");
  int array[] = {5, 6};
  [[loopscope::phase("a")]] auto [e, f] = array;
  work("-");
  return a + b + c + d + e + f;
}
// TRACE: s(p)
// TRACE: -
// TRACE: t(t)
// TRACE: -
// TRACE: a()
// TRACE: -
// TRACE: exit code 21
