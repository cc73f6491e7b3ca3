// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's error codes in words.

#include "reason.h"

using namespace loopscope::runtime;

void loopscope::runtime::explain(const Cupti &Api, const char *Function,
                                 cupti::Result Code, const char *Holder,
                                 Reason &Why) {
  switch (Code) {
  case cupti::MultipleSubscribers:
    Why << (Holder[0] != 0 ? Holder : "another profiler")
        << " is using CUPTI, which serves one at a time; run without it (nsys, "
           "ncu, cuda-gdb, PyTorch's profiler, CUDA_INJECTION64_PATH)";
    return;
  case cupti::InsufficientPrivileges:
  case cupti::VirtualizedDeviceInsufficientPrivileges:
    Why << "no permission to profile the GPU; let the administrator load the "
           "nvidia module with NVreg_RestrictProfilingToAdminUsers=0, or in a "
           "container add --cap-add=SYS_ADMIN";
    return;
  case cupti::VirtualizedDeviceNotSupported:
  case cupti::ConfidentialComputingNotSupported:
  case cupti::MiningDeviceNotSupported:
  case cupti::MigDeviceNotSupported:
  case cupti::SliDeviceNotSupported:
  case cupti::WslDeviceNotSupported:
    break;
  case cupti::Unknown:
  case cupti::NotInitialized:
    if (!hasDriver()) {
      Why.setNoDriver();
      return;
    }
    Why << "CUPTI of CUDA " << int64_t(cudaMajorOf(Api.Version))
        << " could not start; it needs a GPU and a driver of that CUDA version "
           "or newer (see nvidia-smi), or set LOOPSCOPE_CUPTI to an older one";
    return;
  default:
    break;
  }
  const char *Name = nullptr;
  if (Api.GetResultString(Code, &Name) != cupti::Success || Name == nullptr)
    Name = "an unknown error";
  Why << Function << " failed: " << Name << " (" << int64_t(Code) << ')';
}
