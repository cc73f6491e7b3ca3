// Code that the compiler evaluates can't hold a hook.
// RUN: %refuse %s %t -std=c++20 | %diagnostics
int g();
[[loopscope::phase("x")]] constexpr int f() { return 1; }
// CHECK: {{.*}}:[[@LINE-1]]:3: error: 'loopscope::phase' can't be instrumented here: a constexpr function can't hold a hook; annotate its call, or drop constexpr
constexpr int h(int n) {
  [[loopscope::phase("x")]] for (int i = 0; i < 3; ++i) n += i;
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::phase' can't be instrumented here: a constexpr function can't hold a hook
  return n;
}
consteval int c() { [[loopscope::phase("x")]] return 1; }
// CHECK: {{.*}}:[[@LINE-1]]:23: error: 'loopscope::phase' can't be instrumented here: a consteval function is never executed
struct S {
  [[loopscope::phase("x")]] constexpr S() {}
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::phase' can't be instrumented here: a constexpr function
};
static_assert([] { [[loopscope::phase("x")]] return true; }());
// CHECK: {{.*}}:[[@LINE-1]]:22: error: 'loopscope::phase' can't be instrumented here: {{.*}}
