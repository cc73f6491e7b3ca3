// A samples expression must be one expression on one line.
// RUN: %refuse %s %t | %diagnostics
void g();
void f() {
  [[loopscope::train("")]] for (;;) g();
  // CHECK: {{.*}}:[[@LINE-1]]:22: error: the samples expression of 'loopscope::train' is empty; leave the argument out when the number of samples is not known
  [[loopscope::train(32)]] for (;;) g();
  // CHECK: {{.*}}:[[@LINE-1]]:22: error: the argument of 'loopscope::train' must be a string literal
  [[loopscope::train("a; b")]] for (;;) g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the samples expression of 'loopscope::train' can't be used: it holds a ';'
  [[loopscope::valid("f(")]] for (;;) g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the samples expression of 'loopscope::valid' can't be used: its brackets don't match
  [[loopscope::valid("1)] + [(2")]] for (;;) g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the samples expression of 'loopscope::valid' can't be used: its brackets don't match
  [[loopscope::train("1 // one")]] for (;;) g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the samples expression of 'loopscope::train' can't be used: it holds a comment
  [[loopscope::train("1\n2")]] for (;;) g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the samples expression of 'loopscope::train' can't be used: it holds a line break
}
