// A jump past a declaration that needs its own guard is refused.
// RUN: %refuse %s %t | %diagnostics
int g();
void f(int n) {
  switch (n) {
  case 1:
    [[loopscope::phase("x")]] int a, b;
    // CHECK: {{.*}}:[[@LINE-1]]:7: error: a goto or case label jumps into the code that 'loopscope::phase' covers
    a = b = 1;
    g();
  case 2:
    break;
  }
}
