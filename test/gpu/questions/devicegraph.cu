// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA graph that kernels on the device launch.

#include "question.h"

__global__ void inGraph() { compute(1000); }
__global__ void starter(cudaGraphExec_t graph) {
  cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
}

static cudaGraph_t captureOf(cudaStream_t stream, cudaGraphExec_t inner) {
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  if (inner == nullptr)
    inGraph<<<1, 32, 0, stream>>>();
  else
    starter<<<1, 1, 0, stream>>>(inner);
  CHECK(cudaStreamEndCapture(stream, &graph));
  return graph;
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaGraphExec_t inner, outer;
  CHECK(cudaGraphInstantiate(&inner, captureOf(stream, nullptr),
                             cudaGraphInstantiateFlagDeviceLaunch));
  CHECK(cudaGraphUpload(inner, stream));
  CHECK(cudaGraphInstantiate(&outer, captureOf(stream, inner), 0));
  LOOPSCOPE_PHASE("launch")
  for (int i = 0; i < 20; ++i) {
    CHECK(cudaGraphLaunch(outer, stream));
    CHECK(cudaStreamSynchronize(stream));
  }
  CHECK(cudaDeviceSynchronize());
  std::printf("kernel starter 20\nunrecorded inGraph 20\n");
}
