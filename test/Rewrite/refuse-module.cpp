// A module unit is left alone, with a diagnostic.
// RUN: %refuse %s %t -std=c++20 | %diagnostics
export module network;
// CHECK: {{.*}}:[[@LINE-1]]:1: error: module units are left alone; annotate code that isn't in one
void g();
export void f() { [[loopscope::phase("x")]] g(); }
// CHECK: loopscope-rewrite: error: {{.*}}can't be instrumented: {{.*}}nothing was written
