// epoch, train and valid are allowed only before loops, and only one of them per loop.
// RUN: %refuse %s %t | %diagnostics
void g();
[[loopscope::epoch]] void h() {}
// CHECK: {{.*}}:[[@LINE-1]]:3: error: 'loopscope::epoch' goes before a loop: for, range-for, while or do
void f(bool b) {
  [[loopscope::train]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::train' goes before a loop: for, range-for, while or do; this is not a loop
  [[loopscope::valid("3")]] if (b) g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::valid' goes before a loop: for, range-for, while or do; this is not a loop
  [[loopscope::epoch]] { for (;;) g(); }
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::epoch' goes before a loop: for, range-for, while or do; this is not a loop
  [[loopscope::train]] int i = 0;
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::train' goes before a loop: for, range-for, while or do
  [[loopscope::epoch, loopscope::train]] while (--i) g();
  // CHECK: {{.*}}:[[@LINE-1]]:23: error: a loop is either an epoch loop or a loop over batches: 'loopscope::epoch' and 'loopscope::train' can't stand on the same loop
}
