// draw and ignore are only allowed in certain places; a function needs a body.
// RUN: %refuse %s %t | %diagnostics
[[loopscope::draw]] void f() {}
// CHECK: {{.*}}:[[@LINE-1]]:3: error: 'loopscope::draw' goes before a statement inside a step, not on a function; annotate the call
void g() {
  [[loopscope::ignore]] f();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::ignore' goes on a function
}
[[loopscope::phase("x")]] void prototype();
// CHECK: {{.*}}:[[@LINE-1]]:3: error: 'loopscope::phase' needs a function with a body; this one has none in this file: annotate the definition
struct S {
  [[loopscope::phase("x")]] S() = default;
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::phase' needs a function with a body; this one is defaulted: annotate a statement that uses it
  [[loopscope::phase("x")]] S(int) = delete;
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::phase' needs a function with a body; this one is deleted: annotate the function that is used instead
  [[loopscope::phase("x")]] virtual void pure() = 0;
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::phase' needs a function with a body; this one is pure: annotate the overriding functions
};
