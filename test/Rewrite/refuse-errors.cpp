// Of the errors in annotated code, the first five are printed.
// RUN: %refuse %s %t | %diagnostics
void f() {
  [[loopscope::phase("x")]] one();
  // CHECK: {{.*}}:[[@LINE-1]]:29: error: use of undeclared identifier 'one'
  two();
  // CHECK: {{.*}}:[[@LINE-1]]:3: error: use of undeclared identifier 'two'
  three();
  // CHECK: {{.*}}:[[@LINE-1]]:3: error: use of undeclared identifier 'three'
  four();
  // CHECK: {{.*}}:[[@LINE-1]]:3: error: use of undeclared identifier 'four'
  five();
  // CHECK: {{.*}}:[[@LINE-1]]:3: error: use of undeclared identifier 'five'
  six();
}
// CHECK: {{.*}}can't be instrumented: its annotated code doesn't parse; nothing was written
