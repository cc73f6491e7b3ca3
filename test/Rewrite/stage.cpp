// Stages apply to functions and statements, and have their own kinds.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

[[loopscope::fit]] static void fit() { work("a"); }
// CHECK: static void fit() {__LOOPSCOPE_SPAN(1, FIT, "fit", [[@LINE-1]], "fit"); work("a"); }

int main() {
  fit();
  work("-");
  [[loopscope::validate]] work("b");
  // CHECK: {__LOOPSCOPE_SPAN(2, VALIDATE, "validate", [[@LINE-1]], "main"); work("b");}
  work("-");
  [[loopscope::test]] { work("c"); }
  // CHECK: {__LOOPSCOPE_SPAN(3, TEST, "test", [[@LINE-1]], "main"); work("c"); }
  work("-");
  [[loopscope::predict]] if (value("d", 1)) work("e");
  // CHECK: {__LOOPSCOPE_SPAN(4, PREDICT, "predict", [[@LINE-1]], "main"); if (value("d", 1)) work("e");}
}
// TRACE: fit(a)
// TRACE: -
// TRACE: validate(b)
// TRACE: -
// TRACE: test(c)
// TRACE: -
// TRACE: predict(d e)
