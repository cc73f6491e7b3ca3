// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA graphs whose kernels change in place: by a node's parameters, and by an
// update from another graph.

#include "question.h"

__global__ void small() { compute(1000); }
__global__ void large() { compute(2000); }
__global__ void other() { compute(3000); }

namespace {
constexpr int Nodes = 10;

cudaGraph_t capture(cudaStream_t stream, void (*kernel)()) {
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < Nodes; ++i)
    kernel<<<1, 32, 0, stream>>>();
  CHECK(cudaStreamEndCapture(stream, &graph));
  return graph;
}

void launch(cudaGraphExec_t graph, cudaStream_t stream) {
  LOOPSCOPE_PHASE("launch")
  for (int i = 0; i < 10; ++i)
    CHECK(cudaGraphLaunch(graph, stream));
  CHECK(cudaStreamSynchronize(stream));
}
} // namespace

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaGraph_t graph = capture(stream, small);
  cudaGraphExec_t runnable;
  CHECK(cudaGraphInstantiate(&runnable, graph, 0));
  launch(runnable, stream);

  cudaGraphNode_t nodes[Nodes];
  size_t count = Nodes;
  CHECK(cudaGraphGetNodes(graph, nodes, &count));
  cudaKernelNodeParams parameters = {};
  parameters.func = reinterpret_cast<void *>(large);
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(32);
  for (cudaGraphNode_t node : nodes)
    CHECK(cudaGraphExecKernelNodeSetParams(runnable, node, &parameters));
  launch(runnable, stream);

  cudaGraphExecUpdateResultInfo result;
  CHECK(cudaGraphExecUpdate(runnable, capture(stream, other), &result));
  launch(runnable, stream);
  std::printf("kernel small 100\nkernel large 100\nkernel other 100\n");
}
