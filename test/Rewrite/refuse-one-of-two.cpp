// A refusal in one place doesn't affect valid annotations elsewhere: passthrough instruments those.
// RUN: loopscope-rewrite --on-error=passthrough %s -o %t.cpp -- -std=c++17 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: %text
// RUN: rm -f %t.not && not loopscope-rewrite %s -o %t.not -- -std=c++17 && test ! -e %t.not

void g();
constexpr int f() {
  [[loopscope::phase("x")]] return 1;
  // WARN: {{.*}}:[[@LINE-1]]:5: warning: 'loopscope::phase' can't be instrumented here
  // CHECK: {{\[\[}}loopscope::phase("x"){{\]\]}} return 1;
}

int main() {
  [[loopscope::phase("y")]] g();
  // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "y", [[@LINE-1]], "main"); g();}
  return f();
}
