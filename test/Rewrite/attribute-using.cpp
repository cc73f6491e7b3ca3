// [[using loopscope: ...]] is understood, and only our attributes are removed from a list.
// RUN: %compare %s %t --std=c++17 | %trace
// RUN: %text
#include "work.h"

[[using loopscope: phase("f"), validate]] static void f() { work("a"); }
// CHECK: static void f() {__LOOPSCOPE_SPAN(1, PHASE, "f", [[@LINE-1]], "f"); __LOOPSCOPE_SPAN_NEXT(2, VALIDATE, "validate", [[@LINE-1]], "f"); work("a"); }

int main() {
  [[using loopscope: phase("x")]] f();
  // CHECK: {__LOOPSCOPE_SPAN(3, PHASE, "x", [[@LINE-1]], "main"); f();}
}
// TRACE: x(f(~validate(a)))
