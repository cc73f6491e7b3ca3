// An annotation can't be between a pragma and its loop, on either side.
// RUN: %refuse %s %t -fopenmp | %diagnostics
void g();
void f() {
#pragma omp parallel for
  [[loopscope::phase("x")]] for (int i = 0; i < 3; ++i) g();
  // CHECK-DAG: {{.*}}:[[@LINE-1]]:{{[35]}}: error: {{.*}}pragma{{.*}} put it on a block around both: {{\[\[}}loopscope::phase("name"){{\]\]}} { #pragma ... }
  [[loopscope::phase("y")]]
  // CHECK-DAG: {{.*}}:[[@LINE-1]]:{{[35]}}: error: {{.*}}pragma{{.*}} put it on a block around both: {{\[\[}}loopscope::phase("name"){{\]\]}} { #pragma ... }
#pragma omp parallel for
  for (int i = 0; i < 3; ++i) g();
#pragma GCC unroll 4
  [[loopscope::phase("z")]] for (int i = 0; i < 3; ++i) g();
  // CHECK-DAG: {{.*}}:[[@LINE-1]]:{{[35]}}: error: {{.*}}pragma{{.*}} put it on a block around both: {{\[\[}}loopscope::phase("name"){{\]\]}} { #pragma ... }
}
