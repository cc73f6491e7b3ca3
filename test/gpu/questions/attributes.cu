// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches with attributes: programmatic dependency, clusters, cooperation.

#include "question.h"

__global__ void dependent() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
  compute(1000);
}
__global__ void clustered() { compute(1000); }
__global__ void cooperative() { compute(1000); }

static void launch(void (*kernel)(), int blocks, cudaLaunchAttribute attribute,
                   cudaStream_t stream) {
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(static_cast<unsigned>(blocks));
  configuration.blockDim = dim3(32);
  configuration.stream = stream;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  for (int i = 0; i < 100; ++i)
    CHECK(cudaLaunchKernelEx(&configuration, kernel));
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  LOOPSCOPE_PHASE("dependent") launch(dependent, 4, attribute, stream);
  attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  LOOPSCOPE_PHASE("clustered") launch(clustered, 4, attribute, stream);
  attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  LOOPSCOPE_PHASE("cooperative") launch(cooperative, 4, attribute, stream);
  CHECK(cudaDeviceSynchronize());
  std::printf("kernel dependent 100\nkernel clustered 100\n"
              "kernel cooperative 100\n");
}
