// In a function for both host and device, nothing may come between a loop and what may be its pragma
// where the device's code is compiled: a macro, or a pragma in a conditional branch.
// RUN: not loopscope-rewrite %s -o %t.cu -- --cuda-host-only -nocudainc -nocudalib -std=c++17 2> %t.log; FileCheck %s --check-prefix=DIAGNOSTICS < %t.log
// RUN: loopscope-rewrite --on-error=passthrough %s -o %t.cu -- --cuda-host-only -nocudainc -nocudalib -std=c++17 2> %t.log; grep -c 'pragma-loop' %t.log | grep -x 3
// RUN: FileCheck %s < %t.cu
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#ifdef __CUDA_ARCH__
#define UNROLL #pragma unroll
#define UNROLL_BY(n) _Pragma("unroll n")
#else
#define UNROLL
#define UNROLL_BY(n)
#endif
void g(int);
__host__ __device__ int both(int n) {
  UNROLL
  [[loopscope::phase("a")]] for (int i = 0; i < n; ++i) n += i;
  // DIAGNOSTICS: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::phase' stands between a pragma and its loop; {{.*}} [pragma-loop]
  // CHECK: {{^ +\[\[}}loopscope::phase("a"){{\]\]}} for (int i
  UNROLL_BY((4))
  [[loopscope::phase("b")]] for (int i = 0; i < n; ++i) n += i;
  // DIAGNOSTICS: {{.*}}:[[@LINE-1]]:5: error: {{.*}} [pragma-loop]
  // CHECK: {{^ +\[\[}}loopscope::phase("b"){{\]\]}} for (int i
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  [[loopscope::phase("c")]] for (int i = 0; i < n; ++i) n += i;
  // DIAGNOSTICS: {{.*}}:[[@LINE-1]]:5: error: {{.*}} [pragma-loop]
  // CHECK: {{^ +\[\[}}loopscope::phase("c"){{\]\]}} for (int i
  [[loopscope::phase("d")]] for (int i = 0; i < n; ++i) n += i;
  // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "d"
  return n;
}
void host(int n) {
  UNROLL
  [[loopscope::phase("e")]] for (int i = 0; i < n; ++i) g(i);
  // CHECK: {__LOOPSCOPE_SPAN(2, PHASE, "e"
#ifdef _OPENMP
#pragma omp parallel for
#endif
  [[loopscope::phase("f")]] for (int i = 0; i < n; ++i) g(i);
  // CHECK: {__LOOPSCOPE_SPAN(3, PHASE, "f"
}
// DIAGNOSTICS-NOT: error:
