// iterations gives the iterations of exactly one adjacent marked loop, in one expression.
// RUN: %refuse %s %t | %diagnostics
void g();
#define LOOP [[loopscope::train, loopscope::iterations("n")]] for (;;) g()
void f(int n) {
  [[loopscope::iterations]] for (;;) g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the iterations expression of 'loopscope::iterations' is empty; leave it out when the number of iterations is not known
  [[loopscope::iterations("n")]] for (;;) g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::iterations' belongs to the one epoch, train or valid loop beside it; there is none
  [[loopscope::phase("a"), loopscope::iterations("n")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:28: error: 'loopscope::iterations' belongs to the one epoch, train or valid loop beside it; there is none
  [[loopscope::epoch, loopscope::iterations("n"), loopscope::iterations("n")]] for (;;) g();
  // CHECK: {{.*}}:[[@LINE-1]]:51: error: 'loopscope::iterations' belongs to the one epoch, train or valid loop beside it; it has one already
  [[loopscope::epoch, loopscope::train, loopscope::iterations("n")]] for (;;) g();
  // CHECK: {{.*}}:[[@LINE-1]]:41: error: 'loopscope::iterations' belongs to the one epoch, train or valid loop beside it; there are several
  [[loopscope::epoch, loopscope::iterations("f(")]] for (;;) g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the iterations expression of 'loopscope::iterations' can't be used: its brackets don't match
  LOOP;
  // CHECK: {{.*}}:[[@LINE-1]]:3: error: 'loopscope::train' covers code that begins or ends inside a macro; annotate the macro's use as a whole, or a block around it
}
