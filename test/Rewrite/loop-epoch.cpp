// Each iteration of an epoch loop is a span; the loop itself is not.
// RUN: %compare %s %t --std=c++11,c++17 | %trace
// RUN: %text
#include "work.h"
#include <initializer_list>
#include <initializer_list>

int main() {
  [[loopscope::epoch]] for (int e = value("i", 0); e < value("c", 2); ++e) { work("a"); }
  // CHECK: for (int e = value("i", 0); e < value("c", 2); ++e) {__LOOPSCOPE_SPAN(1, EPOCH, "epoch", [[@LINE-1]], "main"); work("a"); }
  int e = 0;
  [[loopscope::epoch]] while (e++ < 2) work("b");
  // CHECK: while (e++ < 2) {__LOOPSCOPE_SPAN(2, EPOCH, "epoch", [[@LINE-1]], "main"); work("b");}
  [[loopscope::epoch]] do work("d"); while (--e > 2);
  // CHECK: do {__LOOPSCOPE_SPAN(3, EPOCH, "epoch", [[@LINE-1]], "main"); work("d");} while (--e > 2);
  [[loopscope::epoch]] for (int x : {1, 2}) if (x > 1) work("r"); else work("s");
  // CHECK: for (int x : {1, 2}) {__LOOPSCOPE_SPAN(4, EPOCH, "epoch", [[@LINE-1]], "main"); if (x > 1) work("r"); else work("s");}
}
// TRACE: i
// TRACE: c
// TRACE: epoch(a)
// TRACE: c
// TRACE: epoch(a)
// TRACE: c
// TRACE: epoch(b)
// TRACE: epoch(b)
// TRACE: epoch(d)
// TRACE: epoch(s)
// TRACE: epoch(r)
