// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads activity records.

#include "records.h"

using namespace loopscope::runtime;

namespace {
// Maps CUPTI's kinds of copies; arrays count as the memory that they lie in.
loopscope_gpu_direction directionOf(uint8_t CopyKind) {
  switch (CopyKind) {
  case 1: // host to device
  case 3: // host to array
    return LOOPSCOPE_GPU_HOST_TO_DEVICE;
  case 2: // device to host
  case 4: // array to host
    return LOOPSCOPE_GPU_DEVICE_TO_HOST;
  case 5: // between arrays and device memory
  case 6:
  case 7:
  case 8:
    return LOOPSCOPE_GPU_DEVICE_TO_DEVICE;
  case 9:
    return LOOPSCOPE_GPU_HOST_TO_HOST;
  case 10:
    return LOOPSCOPE_GPU_PEER_TO_PEER;
  default:
    return LOOPSCOPE_GPU_OTHER_DIRECTION;
  }
}

loopscope_gpu_memory_kind memoryKindOf(uint32_t Type) {
  switch (Type) {
  case cupti::DeviceMemory:
  case cupti::ArrayMemory:
  case cupti::DeviceVariable:
    return LOOPSCOPE_GPU_DEVICE_MEMORY;
  case cupti::ManagedMemory:
  case cupti::ManagedVariable:
    return LOOPSCOPE_GPU_MANAGED_MEMORY;
  case cupti::PinnedMemory:
    return LOOPSCOPE_GPU_PINNED_MEMORY;
  default:
    return LOOPSCOPE_GPU_OTHER_MEMORY;
  }
}

// Reads the fields that have the same names in all records of work.
template <typename T>
void readCommon(const T &R, const DeviceClock &Clock, DeviceWork &W) {
  W.Start = Clock.toTicks(R.Start);
  W.End = Clock.toTicks(R.End);
  W.Device = R.Device;
  W.Context = R.Context;
  W.Stream = R.Stream;
  W.Correlation = R.Correlation;
  W.Graph = R.Graph;
  W.GraphNode = R.GraphNode;
}

void readKernel(const cupti::KernelRecord &R, DeviceWork &W) {
  W.Kind = LOOPSCOPE_GPU_KERNEL;
  W.Name = R.Name;
  for (int I = 0; I < 3; ++I) {
    W.Grid[I] = static_cast<uint32_t>(R.Grid[I]);
    W.Block[I] = static_cast<uint32_t>(R.Block[I]);
  }
  W.Registers = R.Registers;
  W.StaticShared = static_cast<uint32_t>(R.StaticShared);
  W.DynamicShared = static_cast<uint32_t>(R.DynamicShared);
}

// Its nodes have no records of their own.
void readGraph(const cupti::GraphRecord &R, const DeviceClock &Clock,
               DeviceWork &W) {
  W.Kind = LOOPSCOPE_GPU_KERNEL;
  W.Name = LOOPSCOPE_GPU_WHOLE_GRAPH;
  W.Start = Clock.toTicks(R.Start);
  W.End = Clock.toTicks(R.End);
  W.Device = R.Device;
  W.Context = R.Context;
  W.Stream = R.Stream;
  W.Correlation = R.Correlation;
  W.Graph = R.Graph;
}

template <typename T> void readCopy(const T &R, DeviceWork &W) {
  W.Kind = LOOPSCOPE_GPU_COPY;
  W.Direction = directionOf(R.CopyKind);
  W.Bytes = R.Bytes;
}
} // namespace

bool loopscope::runtime::readWork(const cupti::Record &Record,
                                  const DeviceClock &Clock,
                                  DeviceWork &Result) {
  Result = DeviceWork();
  switch (Record.Kind) {
  case cupti::ConcurrentKernelKind: {
    const auto &R = reinterpret_cast<const cupti::KernelRecord &>(Record);
    readCommon(R, Clock, Result);
    readKernel(R, Result);
    return true;
  }
  case cupti::CopyKind: {
    const auto &R = reinterpret_cast<const cupti::CopyRecord &>(Record);
    readCommon(R, Clock, Result);
    readCopy(R, Result);
    return true;
  }
  case cupti::PeerCopyKind: {
    const auto &R = reinterpret_cast<const cupti::PeerCopyRecord &>(Record);
    readCommon(R, Clock, Result);
    readCopy(R, Result);
    return true;
  }
  case cupti::SetKind: {
    const auto &R = reinterpret_cast<const cupti::SetRecord &>(Record);
    readCommon(R, Clock, Result);
    Result.Kind = LOOPSCOPE_GPU_SET;
    Result.Bytes = R.Bytes;
    return true;
  }
  case cupti::GraphKind: {
    const auto &R = reinterpret_cast<const cupti::GraphRecord &>(Record);
    readGraph(R, Clock, Result);
    return R.Device != cupti::OnHost;
  }
  default:
    return false;
  }
}

bool loopscope::runtime::readMemory(const cupti::MemoryRecord &R,
                                    const DeviceClock &Clock,
                                    MemoryOperation &Result) {
  if (R.Operation != cupti::Allocation && R.Operation != cupti::Release)
    return false;
  Result.Kind = memoryKindOf(R.Type);
  Result.Frees = R.Operation == cupti::Release;
  Result.Device = R.Device;
  Result.Context = R.Context;
  Result.Correlation = R.Correlation;
  Result.Start = Clock.toTicks(R.Time);
  Result.Address = R.Address;
  Result.Bytes = R.Bytes;
  Result.Pool = R.PoolType == cupti::LocalPool ? R.PoolAddress : 0;
  if (Result.Pool != 0 && R.PoolBytes > R.PoolUsedBytes)
    Result.PoolUnused = R.PoolBytes - R.PoolUsedBytes;
  return true;
}

DeviceFacts loopscope::runtime::readDevice(const cupti::DeviceRecord &R) {
  DeviceFacts F;
  F.Id = R.Id;
  F.IsVisible = R.IsVisible != 0;
  F.Name = R.Name == nullptr ? "" : R.Name;
  F.ComputeMajor = static_cast<int32_t>(R.ComputeMajor);
  F.ComputeMinor = static_cast<int32_t>(R.ComputeMinor);
  F.Multiprocessors = static_cast<int32_t>(R.Multiprocessors);
  F.MaxWarps = static_cast<int32_t>(R.MaxWarps);
  F.MaxBlocks = static_cast<int32_t>(R.MaxBlocks);
  F.MaxRegisters = static_cast<int32_t>(R.MaxRegisters);
  F.MaxShared = R.MaxShared;
  F.TotalMemory = static_cast<int64_t>(R.GlobalMemory);
  F.MemoryBytesPerSecond = R.GlobalBandwidth * 1000;
  return F;
}

unsigned loopscope::runtime::overheadSum(uint32_t Cause) {
  switch (Cause) {
  case cupti::BufferFlush:
    return 0;
  case cupti::Instrumentation:
    return 1;
  case cupti::Resource:
  case cupti::ModuleLoading:
  case cupti::LazyFunctionLoading:
    return 2;
  default:
    return 3;
  }
}
