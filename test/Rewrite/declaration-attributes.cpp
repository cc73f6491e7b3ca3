// Other attributes and specifiers of the declaration stay.
// RUN: %compare %s %t --std=c++17 | %trace
// RUN: %text
#include "work.h"

int main() {
  [[maybe_unused, loopscope::phase("a")]] int unused = value("a", 1);
  // CHECK: {{.*}}__LOOPSCOPE_SPAN(1, PHASE, "a", [[@LINE-1]], "main");{{.*}}maybe_unused{{.*}}int unused = value("a", 1); __LOOPSCOPE_END(1);
  work("-");
  [[loopscope::phase("b")]] [[maybe_unused]] alignas(16) int aligned = value("b", 1);
  work("-");
  [[maybe_unused]] [[loopscope::phase("c")]] volatile int v = value("c", 1);
  work("-");
  [[loopscope::phase("d")]] __attribute__((unused)) int gnu = value("d", 1);
}
// TRACE: a(a)
// TRACE: -
// TRACE: b(b)
// TRACE: -
// TRACE: c(c)
// TRACE: -
// TRACE: d(d)
