/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The replay library's part of CUDA's API, for test programs. Kernels are named
 * by strings: cudaLaunchKernel((const void *)"name", ...). The scenario sets
 * their cost and everything else; see Scenario.h. */
#ifndef LOOPSCOPE_TEST_FAKE_CUDA_H
#define LOOPSCOPE_TEST_FAKE_CUDA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int cudaError_t;
typedef struct ReplayStream *cudaStream_t;
typedef struct ReplayEvent *cudaEvent_t;
typedef struct ReplayGraph *cudaGraph_t;
typedef struct ReplayGraph *cudaGraphExec_t;
typedef const void *cudaGraphNode_t;
typedef struct ReplayModule *CUmodule;
typedef const void *CUfunction;
typedef struct dim3 {
  unsigned x, y, z;
} dim3;
struct cudaKernelNodeParams {
  void *func;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes;
  void **kernelParams, **extra;
};
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice
};
enum { cudaSuccess = 0 };

cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
cudaError_t cudaGetLastError(void);
cudaError_t cudaMalloc(void **memory, size_t bytes);
cudaError_t cudaFree(void *memory);
cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*run)(void *), void *data);
int cuMemCreate(unsigned long long *handle, size_t bytes, const void *properties, unsigned long long flags);
int cuGreenCtxCreate(void **context, void *resources, int device, unsigned flags);
cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned flags);
cudaError_t cudaMallocHost(void **memory, size_t bytes);
cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void *memory);
const char *cudaGetErrorString(cudaError_t code);
cudaError_t cudaLaunchKernel(const void *name, dim3 grid, dim3 block,
                             void **arguments, size_t shared,
                             cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *name, dim3 grid, dim3 block,
                                        void **arguments, size_t shared,
                                        cudaStream_t stream);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                       enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            enum cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemcpyPeerAsync(void *to, int toDevice, const void *from,
                                int fromDevice, size_t bytes,
                                cudaStream_t stream);
cudaError_t cudaMemset(void *memory, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes,
                            cudaStream_t stream);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned flags);
/* Between these two calls, launches on the stream only go into the graph. */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, int mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags);
cudaError_t
cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                       const cudaGraphNode_t *dependencies, size_t count,
                       const struct cudaKernelNodeParams *parameters);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *runnable, cudaGraph_t graph,
                                 unsigned long long flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t runnable);
cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t runnable, cudaGraphNode_t node,
                                 const struct cudaKernelNodeParams *parameters);
cudaError_t cudaGraphLaunch(cudaGraphExec_t runnable, cudaStream_t stream);

/* The driver's own launch, which libraries use. */
int cuLaunchKernel(const void *name, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned shared, cudaStream_t stream,
                   void **arguments, void **extra);

/* The names of a module's kernels are in its own memory; see Modules.h. */
int cuModuleLoadData(CUmodule *module, const void *image);
int cuModuleGetFunction(CUfunction *function, CUmodule module,
                        const char *name);
int cuModuleUnload(CUmodule module);

/* Replaces the subscriber's callback; returns the previous one. */
typedef void (*ReplayCallback)(void *, unsigned, unsigned, const void *);
ReplayCallback replaySetCallback(ReplayCallback callback);

/* For another tool: the like of cuptiSubscribe, cuptiActivityEnable,
 * cuptiActivityFlushAll and more of its functions. */
int cuptiSubscribe(void **subscriber, ReplayCallback callback, void *data);
int cuptiActivityEnable(unsigned kind);
int cuptiActivityFlushAll(unsigned flags);
int cuptiActivityDisable(unsigned kind);
int cuptiActivityRegisterCallbacks(
    void (*request)(unsigned char **buffer, size_t *size, size_t *records),
    void (*complete)(void *context, unsigned stream, unsigned char *buffer,
                     size_t size, size_t valid));

/* For Truth.h: sets the thread's call path from now on; the time; a call of
 * WHAT that began at START has ended. */
void replayLabel(const char *path);
unsigned long long replayTime(void);
void replayCall(const char *what, unsigned long long start);

/* Plays a file from test/gpu/record.cpp on this thread; see Recording.h. Now and
 * then the thread is held up for STALL_MS, as by a busy machine. */
void playRecording(const char *path, unsigned stallMs);

#ifdef __cplusplus
}
#endif

#endif /* LOOPSCOPE_TEST_FAKE_CUDA_H */
