// A goto or case label that enters an annotated statement from outside is refused.
// RUN: %refuse %s %t | %diagnostics
void g();
void f(int n) {
  if (n) goto in;
  [[loopscope::phase("x")]] {
    // CHECK: {{.*}}:[[@LINE-1]]:5: error: a goto or case label jumps into the code that 'loopscope::phase' covers, past its start; annotate a statement that isn't jumped into
    g();
  in:
    g();
  }
  switch (n) {
  case 1:
    [[loopscope::phase("y")]] {
      // CHECK: {{.*}}:[[@LINE-1]]:7: error: a goto or case label jumps into
      g();
    case 2:
      g();
    }
  }
  if (n) goto loop;
  [[loopscope::train]] while (n) {
    // CHECK: {{.*}}:[[@LINE-1]]:5: error: a goto or case label jumps into
  loop:
    g();
  }
}
