// An unknown name in our namespace is an error; a close one has a fix-it.
// RUN: %refuse %s %t | %diagnostics
void g();
[[loopscope::fase("f")]] void f() {
  // CHECK: {{.*}}:[[@LINE-1]]:14: error: unknown attribute 'loopscope::fase'; did you mean 'loopscope::phase'?
  // CHECK-NEXT: {{.*}}fase
  // CHECK-NEXT: {{ *\| *}}^~~~
  // CHECK-NEXT: {{ *\| *}}phase
  [[loopscope::wiat("w")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:16: error: unknown attribute 'loopscope::wiat'; did you mean 'loopscope::wait'?
  [[loopscope::elephant]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:16: error: unknown attribute 'loopscope::elephant'; known are phase, fit, validate, test, predict, epoch, train, valid, draw, wait, collective, ignore, flops, iterations and key
  [[using loopscope: epoc]] for (;;) g();
  // CHECK: {{.*}}:[[@LINE-1]]:22: error: unknown attribute 'loopscope::epoc'; did you mean 'loopscope::epoch'?
}
