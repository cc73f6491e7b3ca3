// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU records of the profile.

#include "store.h"

#include "base/slow_lock.h"
#include "base/thread_links.h"
#include "profile/sites.h"
#include "text_hash.h"

#include <string.h>

using namespace loopscope::runtime;

uint32_t GpuStore::deviceIndex(uint32_t Id) {
  for (uint32_t I = 0; I < Devices.size(); ++I)
    if (Devices[I].id == Id)
      return I;
  Device New = {};
  New.id = Id;
  New.compute_major = New.compute_minor = New.multiprocessors = -1;
  New.max_warps_per_multiprocessor = New.max_blocks_per_multiprocessor = -1;
  New.max_registers_per_multiprocessor = -1;
  New.max_shared_per_multiprocessor = New.total_memory = -1;
  New.first_start_ticks = UINT64_MAX;
  SlowLock Lock;
  return Devices.append(New) == nullptr ? UINT32_MAX : Devices.size() - 1;
}

void GpuStore::describe(const DeviceFacts &Facts) {
  uint32_t Index = deviceIndex(Facts.Id);
  if (Index == UINT32_MAX)
    return;
  Device &D = Devices[Index];
  if (!Facts.IsVisible && D.multiprocessors >= 0)
    return;
  uint64_t Bit = Index < 64 ? uint64_t(1) << Index : 0;
  bool WasHidden = (Hidden & Bit) != 0;
  Hidden = Facts.IsVisible ? Hidden & ~Bit : Hidden | Bit;
  loopscope_profile_string Name = D.name;
  if (Name.length == 0 || WasHidden) {
    SlowLock Lock;
    if (addString(Facts.Name, strlen(Facts.Name), Name) == nullptr)
      Name = {};
  }
  Update<Device> Writing(D);
  D.name = Name;
  D.compute_major = Facts.ComputeMajor;
  D.compute_minor = Facts.ComputeMinor;
  D.multiprocessors = Facts.Multiprocessors;
  D.max_warps_per_multiprocessor = Facts.MaxWarps;
  D.max_blocks_per_multiprocessor = Facts.MaxBlocks;
  D.max_registers_per_multiprocessor = Facts.MaxRegisters;
  D.max_shared_per_multiprocessor = Facts.MaxShared;
  D.total_memory = Facts.TotalMemory;
  D.memory_bytes_per_s = Facts.MemoryBytesPerSecond;
}

uint32_t GpuStore::addFunction(const char *Name, size_t Length,
                               const char *&Copy) {
  loopscope_gpu_function New = {};
  Copy = addString(Name, Length, New.name);
  if (Copy == nullptr || Functions.append(New) == nullptr)
    return LOOPSCOPE_NONE;
  return Functions.size() - 1;
}

uint32_t GpuStore::addCall(const char *Name, size_t Length) {
  SlowLock Lock;
  const char *Copy = nullptr;
  return addFunction(Name, Length, Copy);
}

uint32_t GpuStore::function(const char *Name) {
  size_t Length = strnlen(Name, MaxString);
  uint64_t Hash = hashOf(Name, Length);
  uint32_t Found = ByName.find(Hash, [&](uint32_t I) {
    return Names[I].Length == Length &&
           memcmp(Names[I].Name, Name, Length) == 0;
  });
  if (Found != UINT32_MAX)
    return Names[Found].Function;
  KnownName New = {nullptr, Length, LOOPSCOPE_NONE};
  {
    SlowLock Lock;
    New.Function = addFunction(Name, Length, New.Name);
  }
  if (New.Function == LOOPSCOPE_NONE || !Names.push(New) ||
      !ByName.add(Hash, static_cast<uint32_t>(Names.size() - 1)))
    return LOOPSCOPE_NONE;
  return New.Function;
}

uint32_t GpuStore::workIndex(const DeviceWork &W, uint32_t Node,
                             uint32_t Function, uint32_t MadeIn) {
  uint64_t Hash = mix(mix(mix(mix(1, Node), Function), W.Device),
                      uint64_t(MadeIn) << 32 | uint64_t(W.Kind) << 16 |
                          uint64_t(W.Direction));
  uint32_t Found = ByWork.find(Hash, [&](uint32_t I) {
    Work &E = Works[I];
    return E.node == Node && E.function == Function && E.device == W.Device &&
           E.kind == W.Kind && E.direction == W.Direction &&
           E.made_in == MadeIn;
  });
  if (Found != UINT32_MAX)
    return Found;
  Work New = {};
  New.node = Node;
  New.function = Function;
  New.device = W.Device;
  New.kind = static_cast<uint16_t>(W.Kind);
  New.direction = static_cast<uint16_t>(W.Direction);
  New.made_in = MadeIn;
  New.min_ticks = UINT64_MAX;
  uint32_t Same = addSameWork(New);
  // It may have one entry more than there are works, from a try that ran out of
  // memory.
  uint32_t Index = Works.size();
  if (SameWorkOf.size() == Index && !SameWorkOf.push(Same))
    return UINT32_MAX;
  SameWorkOf[Index] = Same;
  SlowLock Lock;
  return Works.append(New) != nullptr && ByWork.add(Hash, Index) ? Index
                                                                 : UINT32_MAX;
}

uint32_t GpuStore::addSameWork(const Work &Of) {
  uint64_t Hash = mix(mix(mix(6, Of.function), Of.device),
                      uint64_t(Of.kind) << 16 | uint64_t(Of.direction));
  uint32_t Found = BySameWork.find(Hash, [&](uint32_t I) {
    SameWork &E = SameWorks[I];
    return E.function == Of.function && E.device == Of.device &&
           E.kind == Of.kind && E.direction == Of.direction;
  });
  if (Found != UINT32_MAX)
    return Found;
  SameWork New = {};
  New.device = Of.device;
  New.function = Of.function;
  New.kind = Of.kind;
  New.direction = Of.direction;
  SlowLock Lock;
  uint32_t Index = SameWorks.size();
  return SameWorks.append(New) != nullptr && BySameWork.add(Hash, Index)
             ? Index
             : UINT32_MAX;
}

uint32_t GpuStore::nodeIndex(uint32_t Node, uint32_t DeviceId) {
  uint64_t Hash = mix(mix(2, Node), DeviceId);
  uint32_t Found = ByNode.find(Hash, [&](uint32_t I) {
    return Nodes[I].node == Node && Nodes[I].device == DeviceId;
  });
  if (Found != UINT32_MAX)
    return Found;
  NodeSums New = {};
  New.node = Node;
  New.device = DeviceId;
  SlowLock Lock;
  return Nodes.append(New) != nullptr && ByNode.add(Hash, Nodes.size() - 1)
             ? Nodes.size() - 1
             : UINT32_MAX;
}

GpuStore::Wait *GpuStore::wait(uint32_t Waiter, uint32_t Worker) {
  uint64_t Hash = mix(mix(3, Waiter), Worker);
  uint32_t Found = ByWait.find(Hash, [&](uint32_t I) {
    return Waits[I].waiter == Waiter && Waits[I].worker == Worker;
  });
  if (Found != UINT32_MAX)
    return &Waits[Found];
  Wait New = {};
  New.waiter = Waiter;
  New.worker = Worker;
  SlowLock Lock;
  Wait *Made = Waits.append(New);
  return Made != nullptr && ByWait.add(Hash, Waits.size() - 1) ? Made : nullptr;
}

GpuStore::Memory *GpuStore::memory(uint32_t Node, uint32_t DeviceId,
                                   loopscope_gpu_memory_kind Kind) {
  uint64_t Hash = mix(mix(mix(4, Node), DeviceId), Kind);
  uint32_t Found = ByMemory.find(Hash, [&](uint32_t I) {
    Memory &E = Memories[I];
    return E.node == Node && E.device == DeviceId && E.kind == Kind;
  });
  if (Found != UINT32_MAX)
    return &Memories[Found];
  Memory New = {};
  New.node = Node;
  New.device = DeviceId;
  New.kind = Kind;
  SlowLock Lock;
  Memory *Made = Memories.append(New);
  return Made != nullptr && ByMemory.add(Hash, Memories.size() - 1) ? Made
                                                                    : nullptr;
}

GpuStore::Overlap *GpuStore::overlap(const Overlap &Key) {
  uint64_t Hash = mix(mix(5, uint64_t(Key.device) << 1 | Key.more),
                      uint64_t(Key.count) << 32 | Key.kernels);
  for (uint32_t I = 0; I < Key.count; ++I)
    Hash = mix(Hash, Key.nodes[I]);
  uint32_t Found = ByOverlap.find(Hash, [&](uint32_t I) {
    Overlap &E = Overlapping[I];
    return E.device == Key.device && E.count == Key.count &&
           E.more == Key.more && E.kernels == Key.kernels &&
           memcmp(E.nodes, Key.nodes, Key.count * sizeof(*Key.nodes)) == 0;
  });
  if (Found != UINT32_MAX)
    return &Overlapping[Found];
  if (Key.count > 1 && Overlapping.size() >= MostOverlaps)
    return nullptr;
  SlowLock Lock;
  Overlap *Made = Overlapping.append(Key);
  return Made != nullptr && ByOverlap.add(Hash, Overlapping.size() - 1)
             ? Made
             : nullptr;
}

GpuStore::Use *GpuStore::use(uint32_t Node, uint32_t DeviceId, uint16_t Which,
                             uint16_t Owner) {
  uint64_t Hash =
      mix(mix(mix(6, Node), DeviceId), uint64_t(Which) << 16 | Owner);
  uint32_t Found = ByUse.find(Hash, [&](uint32_t I) {
    Use &E = Uses[I];
    return E.node == Node && E.device == DeviceId && E.use == Which &&
           E.owner == Owner;
  });
  if (Found != UINT32_MAX)
    return &Uses[Found];
  Use New = {};
  New.node = Node;
  New.device = DeviceId;
  New.use = Which;
  New.owner = Owner;
  SlowLock Lock;
  Use *Made = Uses.append(New);
  return Made != nullptr && ByUse.add(Hash, Uses.size() - 1) ? Made : nullptr;
}
