// A macro or raw annotation before a type or using declaration without a variable is refused.
// RUN: %refuse %s %t | %diagnostics
int main() {
  [[loopscope::phase("x")]] typedef int I;
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::phase' means nothing on a type name
  [[loopscope::phase("y")]] int prototype(int);
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::phase' needs a function with a body
  return I();
}
