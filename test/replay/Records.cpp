// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a device's activity into the bytes of CUPTI's records.

#include "Records.h"

#include "Modules.h"
#include "Scenario.h"

#include "gpu/cupti_abi.h"

#include <algorithm>
#include <cstring>

using namespace loopscope::runtime;
using namespace replay;

namespace {
bool isNew() { return scenario().CuptiVersion >= 130000; }

template <typename T> T common(const Done &D) {
  T R{};
  R.Kind = D.Kind;
  R.Start = D.Start;
  R.End = D.End;
  R.Device = D.Device;
  R.Context = D.Device + 1;
  R.Stream = D.Stream;
  R.Correlation = D.Correlation;
  R.Graph = D.Graph;
  R.GraphNode = D.GraphNode;
  return R;
}

cupti::KernelRecord kernelOf(const Done &D) {
  auto R = common<cupti::KernelRecord>(D);
  R.Name = D.Symbol;
  for (int I = 0; I < 3; ++I) {
    R.Grid[I] = static_cast<int32_t>(D.Grid[I]);
    R.Block[I] = static_cast<int32_t>(D.Block[I]);
  }
  R.Registers = static_cast<uint16_t>(D.Registers);
  R.DynamicShared = static_cast<int32_t>(D.Shared);
  return R;
}

template <typename T> T copyOf(const Done &D) {
  auto R = common<T>(D);
  R.CopyKind = static_cast<uint8_t>(D.CopyKind);
  R.Bytes = D.Bytes;
  return R;
}

cupti::DeviceRecord deviceOf(uint32_t Device, bool IsHidden) {
  const auto &All = IsHidden ? scenario().Hidden : scenario().Devices;
  const DeviceModel &M =
      *std::find_if(All.begin(), All.end(),
                    [&](const auto &Each) { return Each.Id == Device; });
  cupti::DeviceRecord R{};
  R.Kind = cupti::DeviceKind;
  R.Id = M.Id;
  R.Name = keepName(M.Name);
  R.Multiprocessors = M.Multiprocessors;
  R.ComputeMajor = M.Major;
  R.ComputeMinor = M.Minor;
  R.MaxWarps = 64;
  R.MaxBlocks = 32;
  R.MaxRegisters = 65536;
  R.MaxShared = 233472;
  R.GlobalMemory = uint64_t(80) << 30;
  R.GlobalBandwidth = 3'350'000'000; // 3.35 TB/s
  R.IsVisible = !IsHidden;
  R.IsMig = M.IsMig;
  R.GpuInstance = M.GpuInstance;
  R.ComputeInstance = M.ComputeInstance;
  return R;
}

// The rest of a record is zero.
template <typename T> std::string bytesOf(const T &Record) {
  std::string Bytes(recordSize(Record.Kind), '\0');
  std::memcpy(Bytes.data(), &Record, std::min(Bytes.size(), sizeof(T)));
  return Bytes;
}

std::string peerCopyOf(const Done &D) {
  auto R = copyOf<cupti::PeerCopyRecord>(D);
  R.SourceDevice = D.Device;
  R.TargetDevice = D.PeerDevice;
  return bytesOf(R);
}

std::string setOf(const Done &D) {
  auto R = common<cupti::SetRecord>(D);
  R.Bytes = D.Bytes;
  return bytesOf(R);
}

std::string overheadOf(const Done &D) {
  cupti::OverheadRecord R{};
  R.Kind = D.Kind;
  R.Cause = D.CopyKind;
  R.Start = D.Start;
  R.End = D.End;
  return bytesOf(R);
}

std::string graphOf(const Done &D) {
  cupti::GraphRecord R{};
  R.Kind = D.Kind;
  R.Correlation = D.Correlation;
  R.Start = D.Start;
  R.End = D.End;
  R.Device = D.Device;
  R.Graph = D.Graph;
  R.Context = D.Device + 1;
  R.Stream = D.Stream;
  return bytesOf(R);
}

std::string memoryOf(const Done &D) {
  cupti::MemoryRecord R{};
  R.Kind = D.Kind;
  R.Operation = D.CopyKind;
  R.Type = D.MemoryType;
  R.Correlation = D.Correlation;
  R.Address = D.Address;
  R.Bytes = D.Bytes;
  R.Time = D.Start;
  R.Device = D.Device;
  R.Context = D.Device + 1;
  if (D.PoolBytes != 0) {
    R.IsAsync = 1;
    R.PoolType = cupti::LocalPool;
    R.PoolAddress = 0x1000 + D.Device;
    R.PoolThreshold = UINT64_MAX;
    R.PoolBytes = D.PoolBytes;
    R.PoolUsedBytes = D.PoolUsedBytes;
  }
  return bytesOf(R);
}
} // namespace

size_t replay::recordSize(uint32_t Kind) {
  switch (Kind) {
  case cupti::ConcurrentKernelKind:
    return isNew() ? 216 : 208;
  case cupti::CopyKind:
    return isNew() ? 96 : 88;
  case cupti::PeerCopyKind:
    return 96;
  case cupti::SetKind:
    return 88;
  case cupti::OverheadKind:
    return isNew() ? 56 : 48;
  case cupti::DeviceKind:
    return isNew() ? 184 : 176;
  case cupti::ContextKind:
    return isNew() ? 32 : 24;
  case cupti::MemoryKind:
    return isNew() ? 128 : 120;
  case cupti::GraphKind:
    return 56;
  default:
    return 0;
  }
}

std::string replay::recordOf(const Done &D) {
  switch (D.Kind) {
  case cupti::ConcurrentKernelKind:
    return bytesOf(kernelOf(D));
  case cupti::CopyKind:
    return bytesOf(copyOf<cupti::CopyRecord>(D));
  case cupti::PeerCopyKind:
    return peerCopyOf(D);
  case cupti::SetKind:
    return setOf(D);
  case cupti::OverheadKind:
    return overheadOf(D);
  case cupti::MemoryKind:
    return memoryOf(D);
  case cupti::GraphKind:
    return graphOf(D);
  default:
    return bytesOf(deviceOf(D.Device, D.IsHidden));
  }
}
