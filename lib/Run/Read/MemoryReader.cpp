// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on memory, each with what is held afterwards: a lane is right from
// its first operation on, however many older ones the ring has lost.

#include "Run/Read/MemoryReader.h"

#include <algorithm>
#include <map>
#include <utility>

using namespace loopscope;

namespace {
// More than any machine has; a hostile file must not make any number of lanes.
constexpr size_t MaxLanes = 1024;

MemoryKind memoryKindOf(uint16_t Kind) {
  switch (Kind) {
  case LOOPSCOPE_GPU_DEVICE_MEMORY:
    return MemoryKind::Device;
  case LOOPSCOPE_GPU_MANAGED_MEMORY:
    return MemoryKind::Managed;
  case LOOPSCOPE_GPU_PINNED_MEMORY:
    return MemoryKind::PinnedHost;
  default:
    return MemoryKind::Other;
  }
}

bool isSound(const loopscope_gpu_memory_event &E) {
  constexpr uint64_t Most = uint64_t{1} << 60; // the analyses subtract
  return E.kind >= LOOPSCOPE_GPU_DEVICE_MEMORY &&
         E.kind <= LOOPSCOPE_GPU_OTHER_MEMORY && E.frees <= 1 &&
         E.bytes <= Most && E.held_bytes <= Most && E.pool_bytes <= Most &&
         (E.frees != 0 || E.bytes <= E.held_bytes);
}
} // namespace

void loopscope::readMemoryOverTime(
    ProfileBytes &Records, const Clock &Ticks,
    const std::unordered_map<uint32_t, uint32_t> &NodeOf, Run &R) {
  std::vector<loopscope_gpu_memory_event> Events =
      Records.gpuMemoryEvents(R.Lost.TornGpu);
  // Sequences have no gaps but at the front.
  bool IsWhole = Events.empty() || Events.front().sequence == 1;
  uint64_t Start = Records.header().start_ticks;
  std::map<std::pair<int64_t, MemoryKind>, size_t> LaneOf;
  for (const loopscope_gpu_memory_event &E : Events) {
    if (!isSound(E)) {
      ++R.Lost.BadRecords;
      continue;
    }
    MemoryChange Next;
    Next.AtNs = E.ticks > Start ? Ticks.toNs(E.ticks - Start) : 0;
    Next.Bytes = static_cast<int64_t>(E.bytes) * (E.frees != 0 ? -1 : 1);
    Next.HeldBytes = E.held_bytes;
    Next.UnusedBytes = E.pool_bytes;
    if (auto Node = NodeOf.find(E.node); Node != NodeOf.end())
      Next.Node = Node->second;
    int64_t Device = E.device == LOOPSCOPE_NONE ? -1 : int64_t{E.device};
    auto [At, IsNew] = LaneOf.try_emplace({Device, memoryKindOf(E.kind)},
                                          R.MemoryOverTime.size());
    if (IsNew && R.MemoryOverTime.size() == MaxLanes) {
      LaneOf.erase(At);
      ++R.Lost.BadRecords;
      continue;
    }
    if (IsNew)
      R.MemoryOverTime.push_back(
          {memoryKindOf(E.kind), Device, IsWhole ? INT64_MIN : Next.AtNs, {}});
    R.MemoryOverTime[At->second].Changes.push_back(Next);
  }
  for (MemoryLane &Each : R.MemoryOverTime)
    std::ranges::stable_sort(Each.Changes, {}, &MemoryChange::AtNs);
}
