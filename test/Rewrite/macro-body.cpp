// Code that begins or ends inside a macro's body is refused.
// RUN: %refuse %s %t | %diagnostics
#define END } (void)x;
#define ALL [[loopscope::phase("hidden")]] g(); g();

void g();

void h() {
  ALL
  // CHECK: {{.*}}:[[@LINE-1]]:3: error: 'loopscope::phase' covers code that begins or ends inside a macro
  int x = 0;
  [[loopscope::phase("b")]] { g(); END
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::phase' covers code that begins or ends inside a macro
}
