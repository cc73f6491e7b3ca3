// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes of CUDA calls.

#include "calls.h"

#include "profile/sums.h"

#include <loopscope/named_losses.h>

#include <string.h>

using namespace loopscope::runtime;

namespace {
bool contains(const char *Name, const char *Part) {
  return strstr(Name, Part) != nullptr;
}

bool isAmong(const char *Name, size_t Length, const char *const *Names,
             size_t Count) {
  for (size_t I = 0; I < Count; ++I)
    if (strlen(Names[I]) == Length && memcmp(Names[I], Name, Length) == 0)
      return true;
  return false;
}

// Cheap calls that programs make around every launch, or without end while they
// wait.
constexpr const char *Cheap[] = {
    "cudaEventQuery",
    "cudaStreamQuery",
    "cuEventQuery",
    "cuStreamQuery",
    "cudaGetDevice",
    "cudaSetDevice",
    "cudaGetLastError",
    "cudaPeekAtLastError",
    "cudaGetErrorName",
    "cudaGetErrorString",
    "cudaDeviceGetAttribute",
    "cudaStreamIsCapturing",
    "cudaStreamGetCaptureInfo",
    "cudaStreamGetCaptureInfo_v2",
    "cudaThreadExchangeStreamCaptureMode",
    "cudaStreamGetPriority",
    "cudaFuncGetAttributes",
    "cudaFuncSetAttribute",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "cudaPointerGetAttributes",
    "cudaRuntimeGetVersion",
    "cudaDriverGetVersion",
    "cuDriverGetVersion",
    "cuCtxGetCurrent",
    "cuCtxSetCurrent",
    "cuCtxPushCurrent",
    "cuCtxPopCurrent",
    "cuCtxGetDevice",
    "cuCtxGetStreamPriorityRange",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDevicePrimaryCtxGetState",
    "cuFuncGetAttribute",
    "cuGetErrorName",
    "cuGetErrorString",
    "cuGetProcAddress",
    "cuGetExportTable",
    "cuPointerGetAttribute",
    "cuPointerGetAttributes",
    "cuStreamGetCtx",
    "cuStreamIsCapturing",
    "cuStreamGetCaptureInfo",
};

// Parts of the names of calls that bring no record of any kind, not even of
// memory, and that programs may make at any rate.
constexpr const char *Recordless[] = {"Synchronize", "EventRecord",
                                      "EventElapsedTime", "StreamWaitEvent",
                                      "MemGetInfo"};

// What these calls ask for has no record.
struct Unrecorded {
  const char *Part; // of the name
  loopscope_named_loss Loss;
};
constexpr Unrecorded UnrecordedCalls[] = {
    {"LaunchHostFunc", LOOPSCOPE_COUNT_GPU_HOST_FUNCTIONS},
    {"StreamAddCallback", LOOPSCOPE_COUNT_GPU_HOST_FUNCTIONS},
    {"GraphAddHostNode", LOOPSCOPE_COUNT_GPU_HOST_FUNCTIONS},
    {"MallocManaged", LOOPSCOPE_COUNT_GPU_MANAGED_MEMORY},
    {"MemAllocManaged", LOOPSCOPE_COUNT_GPU_MANAGED_MEMORY},
    {"cuMemCreate", LOOPSCOPE_COUNT_GPU_VIRTUAL_MEMORY},
    {"GreenCtxCreate", LOOPSCOPE_COUNT_GPU_GREEN_CONTEXTS}};

constexpr const char *GraphLaunches[] = {"cudaGraphLaunch", "cuGraphLaunch"};
} // namespace

size_t loopscope::runtime::plainNameLength(const char *Name) {
  size_t Length = strlen(Name);
  for (bool Cut = true; Cut;) {
    Cut = false;
    size_t Digits = Length;
    while (Digits > 0 && Name[Digits - 1] >= '0' && Name[Digits - 1] <= '9')
      --Digits;
    if (Digits < Length && Digits > 2 && Name[Digits - 1] == 'v' &&
        Name[Digits - 2] == '_') {
      Length = Digits - 2;
      Cut = true;
    } else if (Length > 5 && (memcmp(Name + Length - 5, "_ptsz", 5) == 0 ||
                              memcmp(Name + Length - 5, "_ptds", 5) == 0)) {
      Length -= 5;
      Cut = true;
    }
  }
  return Length;
}

CallClass loopscope::runtime::classifyCall(const char *Name) {
  size_t Length = plainNameLength(Name);
  if (isAmong(Name, Length, Cheap, sizeof(Cheap) / sizeof(*Cheap)))
    return CallClass::Ignored;
  if (isAmong(Name, Length, GraphLaunches, 2))
    return CallClass::Launch;
  // These make nodes of graphs now; the nodes run later.
  if (contains(Name, "Graph") || contains(Name, "HostFunc"))
    return CallClass::Other;
  if (contains(Name, "Synchronize"))
    return CallClass::Wait;
  bool Asynchronous = contains(Name, "Async");
  if (contains(Name, "Memcpy"))
    return Asynchronous ? CallClass::Launch : CallClass::Wait;
  if (contains(Name, "cudaMemset") || contains(Name, "MemsetD") ||
      contains(Name, "MemPrefetch") || contains(Name, "Launch"))
    return CallClass::Launch;
  return CallClass::Other;
}

RecordsOfCall loopscope::runtime::recordsOfCall(CallClass Class,
                                                const char *Name) {
  for (const char *Part : Recordless)
    if (contains(Name, Part))
      return RecordsOfCall::Never;
  if (contains(Name, "MemPrefetch"))
    return RecordsOfCall::None;
  if (Class != CallClass::Launch && Class != CallClass::Wait)
    return RecordsOfCall::None;
  if (contains(Name, "GraphLaunch"))
    return RecordsOfCall::Several;
  // A launch on several devices has several kernels.
  return contains(Name, "Launch") && !contains(Name, "MultiDevice")
             ? RecordsOfCall::Kernel
             : RecordsOfCall::One;
}

bool loopscope::runtime::isOneDriverCall(const char *Name) {
  static constexpr const char *Names[] = {"cudaLaunchKernel",
                                          "cudaLaunchKernelExC"};
  return isAmong(Name, plainNameLength(Name), Names, 2);
}

BorderOfCall loopscope::runtime::borderOfCall(const char *Name) {
  if (contains(Name, "StreamBeginCapture"))
    return BorderOfCall::CaptureBegins;
  if (contains(Name, "StreamEndCapture"))
    return BorderOfCall::CaptureEnds;
  if (contains(Name, "ProfilerStart"))
    return BorderOfCall::WindowOpens;
  if (contains(Name, "ProfilerStop"))
    return BorderOfCall::WindowCloses;
  for (const Unrecorded &Each : UnrecordedCalls)
    if (contains(Name, Each.Part))
      return BorderOfCall::HasNoRecord;
  return BorderOfCall::None;
}

void loopscope::runtime::countUnrecorded(const char *Name) {
  for (const Unrecorded &Each : UnrecordedCalls)
    if (contains(Name, Each.Part)) {
      addToCounter(Each.Loss, 1);
      return;
    }
}

void loopscope::runtime::registerLossesOfCalls() {
  for (const Unrecorded &Each : UnrecordedCalls)
    registerCounter(Each.Loss);
}
