// flops gives the operations of exactly one adjacent phase, train or valid, in one expression.
// RUN: %refuse %s %t | %diagnostics
void g();
int next();
#define BATCH int size = next(); int rest = 0
void f(int n) {
  [[loopscope::flops]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the FLOP expression of 'loopscope::flops' is empty; leave it out when the number of FLOP is not known
  [[loopscope::flops(" ")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:22: error: the FLOP expression of 'loopscope::flops' is empty; leave it out when the number of FLOP is not known
  [[loopscope::flops("1", "2")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::flops' takes one argument, a string literal
  struct [[loopscope::flops("1")]] S {};
  // CHECK: {{.*}}:[[@LINE-1]]:12: error: 'loopscope::flops' means nothing on a class
  [[loopscope::flops("n")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::flops' belongs to the one phase, train or valid beside it; there is none
  [[loopscope::flops("n"), loopscope::epoch]] for (;;)
    // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::flops' belongs to the one phase, train or valid beside it; there is none
    g();
  [[loopscope::phase("a"), loopscope::flops("n;"), loopscope::phase("b")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:28: error: 'loopscope::flops' belongs to the one phase, train or valid beside it; there are several
  [[loopscope::phase("a"), loopscope::flops("n"), loopscope::flops("n")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:51: error: 'loopscope::flops' belongs to the one phase, train or valid beside it; it has one already
  [[loopscope::phase("a"), loopscope::flops("f(")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the FLOP expression of 'loopscope::flops' can't be used: its brackets don't match
  [[loopscope::train, loopscope::flops("size")]] for (;;) {
    // CHECK: {{.*}}:[[@LINE-1]]:5: error: the FLOP expression of 'loopscope::flops' uses a variable that a macro declares
    BATCH;
    (void)(size + rest);
  }
}
