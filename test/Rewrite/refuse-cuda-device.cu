// Hooks run on the host: device functions and kernels are refused.
// RUN: not loopscope-rewrite %s -o %t.cu -- --cuda-host-only -nocudainc -nocudalib -std=c++17 2>&1 | %diagnostics
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
__device__ void g(float *x) { [[loopscope::phase("x")]] *x = 1; }
// CHECK: {{.*}}:[[@LINE-1]]:33: error: 'loopscope::phase' can't be instrumented here: hooks run on the host only; this is device code
[[loopscope::phase("x")]] __global__ void kernel(float *x) { *x = 1; }
// CHECK: {{.*}}:[[@LINE-1]]:3: error: 'loopscope::phase' can't be instrumented here: hooks run on the host only; annotate the statement that launches the kernel
void host() {
  auto lambda = [] __device__(float *x) { [[loopscope::phase("y")]] *x = 2; };
  // CHECK: {{.*}}:[[@LINE-1]]:45: error: 'loopscope::phase' can't be instrumented here: hooks run on the host only; this is device code
  (void)lambda;
}
[[loopscope::phase("both")]] __host__ __device__ void both() {}
