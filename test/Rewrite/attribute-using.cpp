// [[using loopscope: ...]] is understood, and only ours are taken out of a list.
// RUN: %compare %s %t --std=c++17 | %trace
// RUN: %text
#include "work.h"

[[using loopscope: phase("f"), validate]] static void f() { work("a"); }
// CHECK: static void f() {LOOPSCOPE_SPAN_(1, PHASE, "f", [[@LINE-1]], "f"); LOOPSCOPE_SPAN_NEXT_(2, VALIDATE, "validate", [[@LINE-1]], "f"); work("a"); }

int main() {
  [[using loopscope: phase("x")]] f();
  // CHECK: {LOOPSCOPE_SPAN_(3, PHASE, "x", [[@LINE-1]], "main"); f();}
}
// TRACE: x(f(~validate(a)))
