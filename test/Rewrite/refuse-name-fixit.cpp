// A name without quotes gets them as a fix-it.
// RUN: %refuse %s %t | %diagnostics
void g();
void f() {
  [[loopscope::phase(forward)]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:22: error: the argument of 'loopscope::phase' must be a string literal
  // CHECK-NEXT: {{.*}}phase(forward)
  // CHECK-NEXT: {{ *\| *}}^
  // CHECK-NEXT: {{ *\| *}}"      "
}
