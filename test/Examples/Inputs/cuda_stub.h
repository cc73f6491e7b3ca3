// The CUDA declarations that the example uses, so that
// clang can check the example on machines without CUDA:
//   clang++ -nocudainc -nocudalib --cuda-host-only -include cuda_stub.h x.cu
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))

#include <cmath>
#include <cstddef>

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
};
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
__device__ float expf(float);
__device__ float logf(float);
__device__ float tanhf(float);

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
enum cudaError_t { cudaSuccess };
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
// The functions behind kernel<<<...>>>(), before CUDA 9.2 and since.
extern "C" cudaError_t cudaConfigureCall(dim3 grid, dim3 block,
                                         std::size_t shared = 0,
                                         cudaStream_t stream = nullptr);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                                std::size_t shared = 0,
                                                cudaStream_t stream = nullptr);

const char *cudaGetErrorString(cudaError_t);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaMemset(void *, int, std::size_t);
cudaError_t cudaMemcpy(void *, const void *, std::size_t, cudaMemcpyKind);
template <typename T> cudaError_t cudaMalloc(T **, std::size_t);
template <typename T> cudaError_t cudaMallocManaged(T **, std::size_t);
template <typename T> cudaError_t cudaMallocHost(T **, std::size_t);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaMemsetAsync(void *, int, std::size_t, cudaStream_t);
cudaError_t cudaMemcpyAsync(void *, const void *, std::size_t, cudaMemcpyKind,
                            cudaStream_t);
cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t,
                                 unsigned long long);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
