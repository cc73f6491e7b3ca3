// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies, a graph, several streams and one kernel that runs for seconds, each
// in a phase and between CUDA events. Prints "phase NAME MS" for each.
//
//   shapes [CYCLES]   of the long kernel; default 5000000000

#include <loopscope/annotate.h>

#include <cstdio>
#include <cstdlib>

__global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

namespace {
constexpr int Copies = 16, Nodes = 20, Streams = 4;
constexpr size_t Bytes = size_t(64) << 20;

struct Span {
  cudaEvent_t from, to;
  Span() {
    cudaEventCreate(&from);
    cudaEventCreate(&to);
  }
  void print(const char *name) const {
    float ms = 0;
    cudaEventElapsedTime(&ms, from, to);
    std::printf("phase %s %.4f\n", name, static_cast<double>(ms));
  }
};

void copy(const Span &span, void *device, void *host, cudaStream_t stream) {
  cudaEventRecord(span.from, stream);
  for (int i = 0; i < Copies; ++i)
    cudaMemcpyAsync(
        i % 2 == 0 ? device : host, i % 2 == 0 ? host : device, Bytes,
        i % 2 == 0 ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, stream);
  cudaEventRecord(span.to, stream);
}

cudaGraphExec_t makeGraph(cudaStream_t stream) {
  cudaGraph_t graph;
  cudaGraphExec_t runnable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  for (int i = 0; i < Nodes; ++i)
    spin<<<1, 1, 0, stream>>>(2000000);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&runnable, graph, 0);
  return runnable;
}

// All streams at once: the first begins before the others and ends after them.
void overlap(const Span &span, cudaStream_t *streams) {
  cudaEvent_t ends[Streams];
  cudaEventRecord(span.from, streams[0]);
  for (int i = 0; i < Streams; ++i) {
    if (i != 0)
      cudaStreamWaitEvent(streams[i], span.from, 0);
    for (int k = 0; k < 5; ++k)
      spin<<<1, 1, 0, streams[i]>>>(4000000 + 1000000 * i);
    cudaEventCreate(&ends[i]);
    cudaEventRecord(ends[i], streams[i]);
  }
  for (int i = 1; i < Streams; ++i)
    cudaStreamWaitEvent(streams[0], ends[i], 0);
  cudaEventRecord(span.to, streams[0]);
}
} // namespace

int main(int count, char **arguments) {
  const long long cycles = count > 1 ? std::atoll(arguments[1]) : 5000000000LL;
  void *device, *host;
  cudaStream_t streams[Streams];
  cudaMalloc(&device, Bytes);
  cudaMallocHost(&host, Bytes);
  for (cudaStream_t &each : streams)
    cudaStreamCreate(&each);
  cudaGraphExec_t graph = makeGraph(streams[0]);
  Span copies, launched, parallel, lasting;
  spin<<<1, 1, 0, streams[0]>>>(1);
  cudaDeviceSynchronize();

  LOOPSCOPE_PHASE("copies") copy(copies, device, host, streams[0]);
  cudaDeviceSynchronize();
  LOOPSCOPE_PHASE("graph") {
    cudaEventRecord(launched.from, streams[0]);
    for (int i = 0; i < 5; ++i)
      cudaGraphLaunch(graph, streams[0]);
    cudaEventRecord(launched.to, streams[0]);
  }
  cudaDeviceSynchronize();
  LOOPSCOPE_PHASE("streams") overlap(parallel, streams);
  cudaDeviceSynchronize();
  LOOPSCOPE_PHASE("long") {
    cudaEventRecord(lasting.from, streams[0]);
    spin<<<1, 1, 0, streams[0]>>>(cycles);
    cudaEventRecord(lasting.to, streams[0]);
  }
  cudaDeviceSynchronize();
  copies.print("copies");
  launched.print("graph");
  parallel.print("streams");
  lasting.print("long");
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
