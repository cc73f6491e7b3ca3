// A declaration inside another statement's header is refused.
// RUN: %refuse %s %t -std=c++17 | %diagnostics
int g();
void f() {
  for ([[loopscope::phase("x")]] int i = g(); i < 3; ++i) g();
  // CHECK: {{.*}}:[[@LINE-1]]:10: error: 'loopscope::phase' on a declaration that isn't a statement of its own; put it before the whole statement
  if ([[loopscope::phase("x")]] int i = g(); i) g();
  // CHECK: {{.*}}:[[@LINE-1]]:9: error: 'loopscope::phase' on a declaration that isn't a statement of its own
}
