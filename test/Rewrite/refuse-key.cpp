// key belongs to exactly one adjacent span, changes nothing, and names nothing that is declared behind the span's beginning.
// RUN: %refuse %s %t | %diagnostics
void g();
int next();
#define BLOCK [[loopscope::phase("a"), loopscope::key("n")]] for (;;) g()
void f(int n) {
  [[loopscope::key]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the key expression of 'loopscope::key' is empty; leave it out when there is none
  [[loopscope::key("a", "b", "c")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::key' takes at most two arguments, string literals
  [[loopscope::key(" ", "n")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:20: error: the name of a key is empty
  [[loopscope::key("n")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::key' belongs to the one phase, wait, epoch or stage beside it; there is none
  [[loopscope::train, loopscope::key("n")]] for (;;) g();
  // CHECK: {{.*}}:[[@LINE-1]]:23: error: 'loopscope::key' belongs to the one phase, wait, epoch or stage beside it; there is none
  [[loopscope::collective("c"), loopscope::key("n")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:33: error: 'loopscope::key' belongs to the one phase, wait, epoch or stage beside it; there is none
  [[loopscope::phase("a"), loopscope::key("n"), loopscope::key("n + 1")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:49: error: 'loopscope::key' belongs to the one phase, wait, epoch or stage beside it; it has one already
  [[loopscope::phase("a"), loopscope::phase("b"), loopscope::key("n")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:51: error: 'loopscope::key' belongs to the one phase, wait, epoch or stage beside it; there are several
  [[loopscope::phase("a"), loopscope::key("f(")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the key expression of 'loopscope::key' can't be used: its brackets don't match
  [[loopscope::phase("a"), loopscope::key("n++")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the key 'n++' changes something; a key is not evaluated while profiling is off; move the change into a statement before it
  [[loopscope::phase("a"), loopscope::key("n = next()")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the key 'n = next()' changes something; a key is not evaluated while profiling is off; move the change into a statement before it
  [[loopscope::phase("a"), loopscope::key("i")]] for (int i = 0; i < n; ++i) g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the key names 'i', which this loop or condition itself declares, after the span has begun; mark the body
  [[loopscope::phase("a"), loopscope::key("m")]] while (int m = next()) g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the key names 'm', which this loop or condition itself declares, after the span has begun; mark the body
  [[loopscope::phase("a"), loopscope::key("k")]] int k = next();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the key names 'k', which this declaration itself declares, after the span has begun; name something that is known before it
  BLOCK;
  // CHECK: {{.*}}:[[@LINE-1]]:3: error: 'loopscope::phase' covers code that begins or ends inside a macro; annotate the macro's use as a whole, or a block around it
}
