// An annotation that clang applies to a type is an error, too, and not ignored.
// RUN: %refuse %s %t | %diagnostics
void g();
int [[loopscope::phase("x")]] v = 0;
// CHECK: {{.*}}:[[@LINE-1]]:5: error: this annotation stands {{.*}}
void f() [[loopscope::phase("x")]] { g(); }
// CHECK: {{.*}}:[[@LINE-1]]:10: error: this annotation stands {{.*}}
