// Stages, epochs, draws and ignore take no argument.
// RUN: %refuse %s %t | %diagnostics
[[loopscope::fit("x")]] void g() {}
// CHECK: {{.*}}:[[@LINE-1]]:3: error: 'loopscope::fit' takes no argument
[[loopscope::ignore("x")]] void h() {}
// CHECK: {{.*}}:[[@LINE-1]]:3: error: 'loopscope::ignore' takes no argument
void f() {
  [[loopscope::epoch(3)]] for (int i = 0; i < 3; ++i) g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::epoch' takes no argument
  [[loopscope::draw("x")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::draw' takes no argument
}
