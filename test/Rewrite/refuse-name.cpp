// A phase needs a name, and a wait may have one: a plain, nonempty string literal.
// RUN: %refuse %s %t | %diagnostics
constexpr const char *constant = "x";
void g();
void f() {
  [[loopscope::phase]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::phase' needs a name: {{\[\[}}loopscope::phase("forward"){{\]\]}}
  [[loopscope::phase()]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::phase' needs a name
  [[loopscope::phase("")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:22: error: the name of a phase is empty
  [[loopscope::phase("  ")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:22: error: the name of a phase is empty
  [[loopscope::phase("a", "b")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::phase' takes one argument, a string literal
  [[loopscope::phase(3)]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:22: error: the argument of 'loopscope::phase' must be a string literal
  [[loopscope::phase(L"wide")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:22: error: the argument of 'loopscope::phase' must be a string literal
  [[loopscope::phase("a\nb")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:22: error: the name of a phase holds a line break
  [[loopscope::wait("")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:21: error: the name of a wait is empty
  [[loopscope::wait("a\nb")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:21: error: the name of a wait holds a line break
  [[loopscope::wait("a", "b")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::wait' takes one argument, a string literal
}
