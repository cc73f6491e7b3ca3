// An annotation that clang takes for a type's, or drops, is an error too, not silence.
// RUN: %refuse %s %t | %diagnostics
void g();
int [[loopscope::phase("x")]] v = 0;
// CHECK: {{.*}}:[[@LINE-1]]:{{[57]}}: error: {{.*}}
void f() [[loopscope::phase("x")]] { g(); }
// CHECK: {{.*}}:[[@LINE-1]]:{{10|12}}: error: {{.*}}
void h() {
  g() [[loopscope::phase("x")]];
  // CHECK: {{.*}}:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}
}
