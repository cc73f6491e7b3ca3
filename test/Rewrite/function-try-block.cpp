// In a function-try-block the guard is in the try block; handlers run after it.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

[[loopscope::phase("f")]] static int f() try {
  // CHECK: static int f() try {__LOOPSCOPE_SPAN(1, PHASE, "f", [[@LINE-1]], "f");
  work("a");
  throw 3;
} catch (int x) {
  work("handler");
  return x;
}

struct S {
  [[loopscope::phase("s")]] S() try : v(value("init", 1)) { work("b"); } catch (...) { work("no"); }
  // CHECK: S() try : v(value("init", 1)) {__LOOPSCOPE_SPAN(2, PHASE, "s", [[@LINE-1]], "S::S"); work("b"); } catch (...) { work("no"); }
  int v;
};

int main() { return f() + S().v; }
// TRACE: f(a)
// TRACE: handler
// TRACE: init
// TRACE: s(b)
// TRACE: exit code 4
