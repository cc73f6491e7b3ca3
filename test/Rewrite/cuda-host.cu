// Host functions and kernel launches are instrumented; the device pass sees nothing.
// RUN: loopscope-rewrite %s -o %t.cu -- --cuda-host-only -nocudainc -nocudalib -std=c++17
// RUN: FileCheck %s --input-file=%t.cu --match-full-lines
#define __global__ __attribute__((global))
struct dim3 { unsigned x, y, z; dim3(unsigned x, unsigned y = 1, unsigned z = 1); };
typedef struct stream *cudaStream_t;
int cudaConfigureCall(dim3, dim3, unsigned long = 0, cudaStream_t = 0);
extern "C" int __cudaPushCallConfiguration(dim3, dim3, unsigned long = 0, cudaStream_t = 0);
extern "C" int cudaLaunchKernel(const void *, dim3, dim3, void **, unsigned long, cudaStream_t);

__global__ void kernel(float *x) { *x = 1; }

int main() {
  float *x = nullptr;
  [[loopscope::phase("launch")]] kernel<<<1, 1>>>(x);
  // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "launch", [[@LINE-1]], "main"); kernel<<<1, 1>>>(x);}
}
