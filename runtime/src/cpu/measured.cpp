// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data of measured nodes, in pages made on demand, and the sums' keys.

#include "measured.h"

#include "base/lazy_pages.h"
#include "profile/node_links.h"
#include "profile/sums.h"
#include "tree/slow_path.h"

using namespace loopscope::runtime;

namespace {
constexpr uint32_t PerPage = 256;
struct Page {
  Measured Of[PerPage];
};

// The sums, in the order of their keys.
enum Sum : uint32_t {
  SumWall,
  SumCpu,
  SumMinor,
  SumMajor,
  SumVoluntary,
  SumInvoluntary,
  SumStarvedWall,
  SumStarved,
  SumOthers,
  SumInterrupted,
  SumCount
};
struct SumKind {
  const char *Key;
  loopscope_sum_unit Unit;
};
constexpr SumKind Kinds[SumCount] = {
    {LOOPSCOPE_SUM_CPU_WALL, LOOPSCOPE_SUM_TICKS},
    {LOOPSCOPE_SUM_CPU_TIME, LOOPSCOPE_SUM_NS},
    {LOOPSCOPE_SUM_CPU_MINOR_FAULTS, LOOPSCOPE_SUM_NUMBER},
    {LOOPSCOPE_SUM_CPU_MAJOR_FAULTS, LOOPSCOPE_SUM_NUMBER},
    {LOOPSCOPE_SUM_CPU_VOLUNTARY, LOOPSCOPE_SUM_NUMBER},
    {LOOPSCOPE_SUM_CPU_INVOLUNTARY, LOOPSCOPE_SUM_NUMBER},
    {LOOPSCOPE_SUM_CPU_STARVED_WALL, LOOPSCOPE_SUM_TICKS},
    {LOOPSCOPE_SUM_CPU_STARVED, LOOPSCOPE_SUM_NS},
    {LOOPSCOPE_SUM_CPU_OTHERS, LOOPSCOPE_SUM_NS},
    {LOOPSCOPE_SUM_CPU_INTERRUPTED, LOOPSCOPE_SUM_TICKS}};

struct KeptState {
  SumId Sums[SumCount];
  LazyPages<Page, MaxNodes / PerPage> Pages;
};
constinit KeptState Kept = {};

bool addTo(Sum Of, const Node *N, uint64_t Amount) {
  if (addToKnownNode(Kept.Sums[Of], N->index, Amount))
    return true;
  SlowPath Path(false);
  return Path && addToNode(Kept.Sums[Of], N->index, Amount);
}
} // namespace

Measured *loopscope::runtime::findMeasured(const Node *N) {
  Page *P = Kept.Pages.find(N->index / PerPage);
  return P == nullptr ? nullptr : &P->Of[N->index % PerPage];
}

Measured *loopscope::runtime::findOrMakeMeasured(const Node *N) {
  Page *P = Kept.Pages.findOrMake(N->index / PerPage);
  if (P == nullptr)
    return nullptr;
  Measured *M = &P->Of[N->index % PerPage];
  if (!M->IsKnown) {
    M->IsKnown = true;
    M->IsOn = true;
    M->IsFirst = true;
    M->LastMeasures = 2;
  }
  return M;
}

void loopscope::runtime::forgetMeasured() { Kept.Pages.forget(); }

void loopscope::runtime::registerMeasuredSums() {
  for (uint32_t I = 0; I < SumCount; ++I)
    Kept.Sums[I] = registerSum(Kinds[I].Key, Kinds[I].Unit);
}

void loopscope::runtime::addMeasured(const Node *N, uint64_t Wall,
                                     const Usage &Used) {
  if (!addTo(SumWall, N, Wall))
    return;
  addTo(SumCpu, N, Used.CpuNs);
  const uint64_t Numbers[] = {Used.MinorFaults, Used.MajorFaults,
                              Used.Voluntary, Used.Involuntary};
  for (uint32_t I = 0; I < 4; ++I)
    if (Numbers[I] != 0)
      addTo(static_cast<Sum>(SumMinor + I), N, Numbers[I]);
  if (!Used.HasStarved || !addTo(SumStarvedWall, N, Wall))
    return;
  addTo(SumStarved, N, Used.StarvedNs);
  if (Used.OthersNs != 0)
    addTo(SumOthers, N, Used.OthersNs);
}

void loopscope::runtime::addInterrupted(const Node *N, uint64_t Ticks) {
  addTo(SumInterrupted, N, Ticks);
}
