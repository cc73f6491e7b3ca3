// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA calls of the replay library.

#include "CallNames.h"

#include "Scenario.h"

#include <cstdlib>
#include <cstring>
#include <string>

using namespace replay;

namespace {
// Ids as in CUPTI 13.
constexpr CallName Names[] = {
    {2, 3, "cudaGetDeviceCount_v3020"},
    {2, 10, "cudaGetLastError_v3020"},
    {2, 16, "cudaSetDevice_v3020"},
    {2, 17, "cudaGetDevice_v3020"},
    {2, 20, "cudaMalloc_v3020"},
    {2, 22, "cudaFree_v3020"},
    {2, 25, "cudaMallocHost_v3020"},
    {2, 26, "cudaFreeHost_v3020"},
    {2, 31, "cudaMemcpy_v3020"},
    {2, 41, "cudaMemcpyAsync_v3020"},
    {2, 49, "cudaMemset_v3020"},
    {2, 51, "cudaMemsetAsync_v3020"},
    {2, 129, "cudaStreamCreate_v3020"},
    {2, 130, "cudaStreamDestroy_v3020"},
    {2, 131, "cudaStreamSynchronize_v3020"},
    {2, 133, "cudaEventCreate_v3020"},
    {2, 135, "cudaEventRecord_v3020"},
    {2, 138, "cudaEventQuery_v3020"},
    {2, 137, "cudaEventSynchronize_v3020"},
    {2, 161, "cudaMemcpyPeerAsync_v4000"},
    {2, 164, "cudaDeviceReset_v3020"},
    {2, 165, "cudaDeviceSynchronize_v3020"},
    {2, 171, "cudaProfilerStart_v4000"},
    {2, 172, "cudaProfilerStop_v4000"},
    {2, 206, "cudaMallocManaged_v6000"},
    {2, 211, "cudaLaunchKernel_v7000"},
    {2, 214, "cudaLaunchKernel_ptsz_v7000"},
    {2, 215, "cudaMemcpy_ptds_v7000"},
    {2, 225, "cudaMemcpyAsync_ptsz_v7000"},
    {2, 233, "cudaMemset_ptds_v7000"},
    {2, 235, "cudaMemsetAsync_ptsz_v7000"},
    {2, 239, "cudaStreamSynchronize_ptsz_v7000"},
    {2, 242, "cudaEventRecord_ptsz_v7000"},
    {2, 269, "cudaLaunchCooperativeKernel_v9000"},
    {2, 270, "cudaLaunchCooperativeKernel_ptsz_v9000"},
    {2, 315, "cudaStreamBeginCapture_v10000"},
    {2, 319, "cudaStreamEndCapture_v10000"},
    {2, 288, "cudaGraphCreate_v10000"},
    {2, 289, "cudaGraphAddKernelNode_v10000"},
    {2, 284, "cudaLaunchHostFunc_v10000"},
    {2, 311, "cudaGraphLaunch_v10000"},
    {2, 312, "cudaGraphLaunch_ptsz_v10000"},
    {2, 373, "cudaMallocAsync_v11020"},
    {2, 374, "cudaMallocAsync_ptsz_v11020"},
    {2, 375, "cudaFreeAsync_v11020"},
    {2, 376, "cudaFreeAsync_ptsz_v11020"},
    {2, 326, "cudaGraphExecKernelNodeSetParams_v10010"},
    {2, 443, "cudaGraphInstantiate_v12000"},
    {1, 19, "cuModuleLoadData"},
    {1, 22, "cuModuleUnload"},
    {1, 23, "cuModuleGetFunction"},
    {1, 216, "cuMemsetD8Async"},
    {1, 306, "cuMemcpyAsync"},
    {1, 307, "cuLaunchKernel"},
    {1, 319, "cuMemcpyPeerAsync"},
    {1, 514, "cuGraphLaunch"},
    {1, 549, "cuMemCreate"},
    {1, 743, "cuGreenCtxCreate"},
};

// With per-thread default streams, a call may have a different name.
const CallName *ownStreamName(uint32_t Domain, const char *Name) {
  std::string Begin(Name, std::strcspn(Name, "_"));
  for (const CallName &Each : Names)
    if (Each.Domain == Domain &&
        std::strncmp(Each.Name, (Begin + "_pt").c_str(), Begin.size() + 3) == 0)
      return &Each;
  return nullptr;
}
} // namespace

const CallName *replay::callNamed(uint32_t Domain, const char *Name) {
  if (scenario().OwnDefaultStreams)
    if (const CallName *Own = ownStreamName(Domain, Name))
      return Own;
  for (const CallName &Each : Names)
    if (Each.Domain == Domain && std::strcmp(Each.Name, Name) == 0)
      return &Each;
  std::abort(); // a fake call that the table lacks
}

const char *replay::nameOfCall(uint32_t Domain, uint32_t Id) {
  for (const CallName &Each : Names)
    if (Each.Domain == Domain && Each.Id == Id)
      return Each.Name;
  return nullptr;
}
