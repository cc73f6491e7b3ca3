// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA graph with a loop whose condition the device decides.

#include "question.h"

__global__ void body(cudaGraphConditionalHandle handle, int *left) {
  cudaGraphSetConditional(handle, --*left > 0);
}

int main() {
  int *left, start = 50;
  CHECK(cudaMalloc(&left, sizeof(int)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle;
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1,
                                         cudaGraphCondAssignDefault));
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = handle;
  parameters.conditional.type = cudaGraphCondTypeWhile;
  parameters.conditional.size = 1;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  cudaGraph_t inside = parameters.conditional.phGraph_out[0];
  CHECK(cudaStreamBeginCaptureToGraph(stream, inside, nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal));
  body<<<1, 1, 0, stream>>>(handle, left);
  CHECK(cudaStreamEndCapture(stream, nullptr));
  cudaGraphExec_t runnable;
  CHECK(cudaGraphInstantiate(&runnable, graph, 0));
  LOOPSCOPE_PHASE("launch")
  for (int i = 0; i < 4; ++i) {
    CHECK(cudaMemcpy(left, &start, sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaGraphLaunch(runnable, stream));
    CHECK(cudaStreamSynchronize(stream));
  }
  std::printf("kernel body 200\n");
}
