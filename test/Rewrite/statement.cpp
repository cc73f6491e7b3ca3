// An expression statement gets braces that contain its guard.
// RUN: %compare %s %t --std=c++11,c++17,c++20 | %trace
// RUN: %text
#include "work.h"

struct Model {
  int train(int x) { return value("t", x); }
};

int main() {
  Model m;
  [[loopscope::phase("free")]] work("a");
  // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "free", [[@LINE-1]], "main"); work("a");}
  work("-");
  [[loopscope::phase("method")]] m.train(1);
  // CHECK: {__LOOPSCOPE_SPAN(2, PHASE, "method", [[@LINE-1]], "main"); m.train(1);}
  work("-");
  [[loopscope::phase("lines")]] value("b",
                                      // CHECK: {__LOOPSCOPE_SPAN(3, PHASE, "lines", [[@LINE-1]], "main"); value("b",
                                      m.train(2))
      // CHECK: m.train(2))
      ;
  // CHECK: ;}
}
// TRACE: free(a)
// TRACE: -
// TRACE: method(t)
// TRACE: -
// TRACE: lines(t b)
