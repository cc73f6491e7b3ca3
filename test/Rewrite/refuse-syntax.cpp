// Annotated code that doesn't parse is refused with clang's own errors.
// RUN: %refuse %s %t | %diagnostics
void f() {
  [[loopscope::phase("x")]] undeclared();
  // CHECK: {{.*}}:[[@LINE-1]]:29: error: use of undeclared identifier 'undeclared'
}
// CHECK: {{.*}}can't be instrumented: its annotated code doesn't parse; nothing was written
