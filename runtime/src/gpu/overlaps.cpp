// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sweep over starts and ends.

#include "overlaps.h"

#include "profile/counts.h"

#include <loopscope/profile_counters.h>

#include <string.h>

using namespace loopscope::runtime;

Overlaps::Member *Overlaps::memberOf(uint32_t Node) {
  for (Member &Each : Members)
    if (Each.Node == Node)
      return &Each;
  return Members.push({Node, 0, 0, 0}) ? &Members.back() : nullptr;
}

// Keeps Sums while the same call paths run, with or without kernels.
void Overlaps::change(const Running &Each, bool Begins) {
  Member *M = memberOf(Each.Node);
  if (M == nullptr)
    return; // no memory
  uint32_t &Count = Each.IsKernel ? M->Kernels : M->Others;
  bool HadKernels = M->Kernels != 0;
  bool WasNew = M->Kernels + M->Others == 0;
  if (Begins)
    ++Count;
  else if (Count != 0)
    --Count;
  M->Communicating += Each.Communicates ? (Begins ? 1 : uint32_t(-1)) : 0;
  Kernels += Each.IsKernel ? (Begins ? 1 : uint64_t(-1)) : 0;
  Blocks += Begins ? Each.Blocks : -Each.Blocks;
  bool HasEnded = M->Kernels + M->Others == 0;
  if (WasNew || HasEnded || HadKernels != (M->Kernels != 0))
    Sums = nullptr;
  if (!HasEnded)
    return;
  auto At = static_cast<size_t>(M - Members.begin());
  memmove(M, M + 1, (Members.size() - At - 1) * sizeof(Member));
  Members.popBack();
}

// Null if out of memory.
loopscope_gpu_overlap *Overlaps::sums() {
  if (Sums != nullptr)
    return Sums;
  loopscope_gpu_overlap Key = {};
  Key.device = Store.device(Device).id;
  auto Enter = [&](const Member &M) {
    uint32_t At = Key.count++;
    for (; At != 0 && Key.nodes[At - 1] > M.Node; --At)
      Key.nodes[At] = Key.nodes[At - 1];
    Key.nodes[At] = M.Node;
    uint32_t Below = Key.kernels & ((1U << At) - 1);
    Key.kernels = (Key.kernels & ~((1U << At) - 1)) << 1 | Below |
                  (M.Kernels != 0 ? 1U << At : 0);
  };
  for (size_t I = 0;
       I < Members.size() && I < size_t(LOOPSCOPE_GPU_OVERLAP_NODES); ++I)
    Enter(Members[I]);
  Key.more = Members.size() > Key.count ? 1 : 0;
  Sums = Store.overlap(Key);
  if (Sums != nullptr || Members.size() < 2)
    return Sums;
  // Too many combinations: charge the time to the one that has run longest,
  // together with unknown others.
  Key = {};
  Key.device = Store.device(Device).id;
  Enter(Members[0]);
  Key.more = 1;
  Sums = Store.overlap(Key);
  return Sums;
}

UseOwners Overlaps::owners() {
  // No node yet is a node beyond all.
  constexpr uint32_t None = UINT32_MAX - 1;
  UseOwners Found = {None, None};
  auto Join = [&](uint32_t &Owner, uint32_t Node) {
    Owner = Owner == None ? Node : Tree.common(Owner, Node);
  };
  for (const Member &Each : Members) {
    if (Each.Kernels != Each.Communicating)
      Join(Found.OfKernels, Each.Node);
    if (Each.Others + Each.Communicating != 0)
      Join(Found.OfLinks, Each.Node);
  }
  if (Found.OfKernels == None)
    Found.OfKernels = Found.OfLinks;
  if (Found.OfLinks == None)
    Found.OfLinks = Found.OfKernels;
  return Found;
}

void Overlaps::advance(uint64_t Time) {
  if (Time <= Now)
    return;
  uint64_t Passed = Time - Now;
  if (IsUseRead) {
    UseOwners Owners = owners();
    Use.pass(Now, Time, Members.size() == 0 ? nullptr : &Owners);
  }
  Now = Time;
  if (Members.size() == 0)
    return;
  loopscope_gpu_overlap *Of = sums();
  if (Of == nullptr) {
    count(LOOPSCOPE_COUNT_GPU_LOST);
  } else {
    Update<loopscope_gpu_overlap> Writing(*Of);
    Of->ticks += Passed;
  }
  GpuStore::Device &D = Store.device(Device);
  Update<GpuStore::Device> Writing(D);
  D.busy_ticks += Passed;
  if (Kernels != 0)
    D.kernel_ticks += Passed;
  if (Ends.size() != Kernels)
    D.copy_ticks += Passed;
  if (D.multiprocessors > 0)
    D.multiprocessor_ticks += filledBy(Blocks) * static_cast<double>(Passed);
  else if (Blocks != 0)
    keep(Passed);
}

// The share of the device that so many blocks fill, if each multiprocessor has
// one of them before one has two.
double Overlaps::filledBy(uint64_t BlocksThen) const {
  auto Multiprocessors =
      static_cast<uint64_t>(Store.device(Device).multiprocessors);
  return BlocksThen >= Multiprocessors
             ? 1
             : static_cast<double>(BlocksThen) /
                   static_cast<double>(Multiprocessors);
}

// There are few different sums, unless the device is never described. Beyond
// MostKept, the nearest one stands for others.
void Overlaps::keep(uint64_t Ticks) {
  constexpr size_t MostKept = 1024;
  auto Apart = [this](const Undescribed &Each) {
    return Each.Blocks > Blocks ? Each.Blocks - Blocks : Blocks - Each.Blocks;
  };
  Undescribed *Nearest = nullptr;
  for (Undescribed &Each : Kept)
    if (Nearest == nullptr || Apart(Each) < Apart(*Nearest))
      Nearest = &Each;
  bool IsNew = Nearest == nullptr || Apart(*Nearest) != 0;
  if (IsNew && Kept.size() < MostKept && Kept.push({Blocks, Ticks}))
    return;
  if (Nearest != nullptr)
    Nearest->Ticks += Ticks;
}

void Overlaps::describe() {
  GpuStore::Device &D = Store.device(Device);
  if (D.multiprocessors <= 0)
    return;
  Update<GpuStore::Device> Writing(D);
  while (Kept.size() != 0) {
    const Undescribed &Last = Kept[Kept.size() - 1];
    D.multiprocessor_ticks +=
        filledBy(Last.Blocks) * static_cast<double>(Last.Ticks);
    Kept.popBack();
  }
}

void Overlaps::endFirst() {
  Running First = Ends.takeFirst();
  // Everything still running runs together until then.
  change(First, false);
}

void Overlaps::moveTo(uint64_t Time) {
  while (Ends.size() != 0 && Ends.first().Start <= Time) {
    advance(Ends.first().Start);
    endFirst();
  }
  advance(Time);
}

void Overlaps::finish() {
  while (Ends.size() != 0)
    moveTo(Ends.first().Start);
  if (IsUseRead)
    Use.pass(Now, UINT64_MAX - 1, nullptr);
}

void Overlaps::begin(const Interval &I) {
  moveTo(I.Start);
  if (I.End > LatestEnd)
    LatestEnd = I.End;
  if (I.End <= I.Start)
    return;
  // More than any device has multiprocessors, and their sum doesn't overflow.
  constexpr float MostBlocks = 1e9F;
  float OfKernel = !I.IsKernel             ? 0
                   : I.Blocks < MostBlocks ? I.Blocks
                                           : MostBlocks;
  Running New = {I.End, I.Node, I.IsKernel, I.Communicates,
                 static_cast<uint64_t>(OfKernel)};
  if (Ends.push(New))
    change(New, true);
  else
    count(LOOPSCOPE_COUNT_GPU_LOST);
}
