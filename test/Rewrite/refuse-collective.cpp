// A collective has a name and an expression for its bytes, plain string literals.
// RUN: %refuse %s %t | %diagnostics
void g();
void f(int n) {
  [[loopscope::collective("")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:27: error: the name of a collective is empty
  [[loopscope::collective("a", "")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:32: error: the bytes expression of 'loopscope::collective' is empty; leave the argument out when the number of bytes is not known
  [[loopscope::collective("a", n)]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:32: error: the argument of 'loopscope::collective' must be a string literal
  [[loopscope::collective("a", "n", "m")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::collective' takes at most two arguments, string literals
  [[loopscope::collective("a", "n * (2")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the bytes expression of 'loopscope::collective' can't be used:
}
