// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs blocks into experiments, and collects experiments into rows.

#include "Analysis/Tree/Whatif.h"

#include "Analysis/Thresholds.h"
#include "Analysis/Tree/PathTree.h"
#include "Support/Numbers.h"

#include <loopscope/whatif_estimate.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

using namespace loopscope;

namespace {
// More than any run has; a hostile profile's intervals may be wider.
constexpr double MostSteps = 1e15;

// The experiments of a phase.
struct Collected {
  uint32_t Node = None;
  uint32_t Loop = None;
  std::vector<double> Slopes;
  double PhaseNs = 0;  // over all their measured steps
  double SharedNs = 0; // the same, by the threads that ran it at once
  uint64_t Steps = 0;
  double TriedNs = 0; // the same, over all steps of its blocks
  uint64_t TriedSteps = 0;
  uint32_t Rare = 0; // blocks that hardly lengthened it, and the others
  uint32_t Fair = 0;
  double StepNs = 0; // sum over experiments of their undisturbed steps
};

whatif::Steps stepsOf(const WhatifBlock &B) {
  return {B.StepNs.data(), static_cast<uint32_t>(B.StepNs.size())};
}

// Identifies the blocks of one phase: one place in the source, in the steps of
// one loop.
struct PhaseKey {
  uint32_t Process;
  uint32_t Site;
  uint32_t Loop;
  auto operator<=>(const PhaseKey &) const = default;
};

void add(const WhatifBlock &Before, const WhatifBlock &B,
         const WhatifBlock &After, Collected &To) {
  auto Count = static_cast<uint32_t>(B.StepNs.size());
  To.TriedNs += static_cast<double>(B.PhaseNs);
  To.TriedSteps += Count;
  ++(whatif::isRare(B.Lengthened, B.Spans, Count) ? To.Rare : To.Fair);
  if (!whatif::isEven(B.Lengthened, B.Spans, Count))
    return;
  uint32_t Threads = whatif::threadsOf(B.Threads);
  whatif::Experiment E = whatif::experimentOf(
      stepsOf(Before), stepsOf(B), stepsOf(After), B.InjectedNs, Threads);
  if (!E.IsKnown)
    return;
  To.Slopes.push_back(E.Slope);
  To.PhaseNs += static_cast<double>(B.PhaseNs);
  To.SharedNs += static_cast<double>(B.PhaseNs) / Threads;
  To.Steps += B.StepNs.size();
  To.StepNs += E.StepTicks;
}

// A lengthened block is compared with the blocks before and after it.
std::map<PhaseKey, Collected> collect(const Run &R) {
  std::map<PhaseKey, Collected> Result;
  const std::vector<WhatifBlock> &All = R.Whatif;
  for (size_t I = 0; I < All.size(); ++I) {
    if (All[I].Phase == None)
      continue;
    Collected &To = Result[{All[I].Process, R.Nodes[All[I].Phase].Site,
                            R.Nodes[All[I].Loop].Site}];
    To.Node = All[I].Phase;
    To.Loop = All[I].Loop;
    bool HasBoth = I > 0 && I + 1 < All.size() && All[I - 1].Phase == None &&
                   All[I + 1].Phase == None &&
                   All[I - 1].Process == All[I].Process &&
                   All[I + 1].Process == All[I].Process;
    if (HasBoth)
      add(All[I - 1], All[I], All[I + 1], To);
  }
  return Result;
}

// Whether N is in steps of an outermost loop at another place than LOOP.
bool isOfOtherSteps(const Run &R, uint32_t N, uint32_t Loop) {
  uint32_t Outermost = None;
  for (; N != None; N = R.Nodes[N].Parent)
    if (R.Nodes[N].Kind == LOOPSCOPE_KIND_STEP)
      Outermost = R.Nodes[N].Parent;
  return Outermost != None && R.Nodes[Outermost].Site != R.Nodes[Loop].Site;
}

// Whether the steps of LOOP wait for more than their own thread's work, as far
// as that was measured.
bool isWaiting(const Run &R, uint32_t Loop) {
  const CpuSums &Used = R.Nodes[Loop].Cpu;
  bool WasPushedOff =
      static_cast<double>(Used.VoluntarySwitches) <=
      FewPushedOff * static_cast<double>(Used.InvoluntarySwitches);
  if (!Used.standFor(R.Nodes[Loop].InclusiveNs) || WasPushedOff)
    return false;
  int64_t Waited = Used.offCpuNs() - (Used.hasStarved() ? Used.StarvedNs : 0);
  return static_cast<double>(Waited) >
         WhatifWaits * static_cast<double>(Used.MeasuredNs);
}

// Whether nothing was recorded that could hide a phase of LOOP's steps.
bool isSerial(const Run &R, uint32_t Loop) {
  if (R.Gpu.Launches != 0 || !R.Collectives.empty() || isWaiting(R, Loop))
    return false;
  return std::ranges::none_of(R.Nodes, [&](const Node &N) {
    return N.Spans.count() != 0 && !N.IsCut &&
           (N.Thread != R.Nodes[Loop].Thread ||
            N.Kind == LOOPSCOPE_KIND_COLLECTIVE);
  });
}

bool isNoise(const WhatifRow &Row) {
  return Row.HasSlope &&
         (Row.High < -WhatifBeyond || Row.Low > 1 + WhatifBeyond);
}

// A phase that holds up other steps, which weren't measured, doesn't count as
// hidden.
WhatifVerdict verdictOf(const Run &R, const WhatifRow &Row) {
  if (!Row.HasSlope || Row.IsNoise ||
      (Row.Low < WhatifCritical && isOfOtherSteps(R, Row.Node, Row.Loop)))
    return WhatifVerdict::Unknown;
  if (Row.Low >= WhatifCritical)
    return WhatifVerdict::Critical;
  if (Row.High <= WhatifHidden)
    return WhatifVerdict::Hidden;
  if (Row.Low >= WhatifNotHidden && Row.High <= WhatifNotWhole)
    return WhatifVerdict::Partly;
  return WhatifVerdict::Unknown;
}

WhatifRow rowOf(const Run &R, Collected &From) {
  WhatifRow Row;
  Row.Node = From.Node;
  Row.Loop = From.Loop;
  Row.Blocks = static_cast<uint32_t>(From.Slopes.size());
  if (Row.Blocks == 0) {
    Row.IsTooShort = From.Rare > From.Fair;
    if (From.TriedSteps != 0)
      Row.PhaseSeconds =
          From.TriedNs / static_cast<double>(From.TriedSteps) / NsPerSecond;
    return Row;
  }
  auto Steps = static_cast<double>(From.Steps);
  Row.PhaseSeconds = From.PhaseNs / Steps / NsPerSecond;
  Row.StepSeconds = From.StepNs / Row.Blocks / NsPerSecond;
  whatif::Interval I = whatif::intervalOf(From.Slopes.data(), Row.Blocks);
  Row.HasSlope = I.IsKnown;
  Row.Slope = I.Slope;
  Row.Low = I.Low;
  Row.High = I.High;
  Row.IsNarrow = I.isNarrow();
  Row.IsNoise = isNoise(Row);
  Row.Verdict = verdictOf(R, Row);
  double Shared = From.SharedNs / Steps / NsPerSecond;
  if (Row.Verdict != WhatifVerdict::Unknown)
    Row.SavesPercent = 10 *
                       std::clamp(Row.Slope * Shared, 0.0, Row.PhaseSeconds) /
                       Row.StepSeconds;
  return Row;
}

void markShort(std::vector<WhatifRow> &Rows) {
  auto TakesLittle = [](const WhatifRow &Row) {
    return Row.Blocks != 0 && Row.PhaseSeconds < WhatifShort * Row.StepSeconds;
  };
  if (!std::all_of(Rows.begin(), Rows.end(), TakesLittle))
    for (WhatifRow &Each : Rows)
      Each.IsShort = TakesLittle(Each);
}

// Takes all verdicts back if the experiments are wrong about a slope that is
// known without them.
void refute(const Run &R, WhatifResult &Of) {
  for (const WhatifRow &Row : Of.Rows) {
    bool IsNotOne = Row.HasSlope &&
                    (Row.High < 1 - WhatifBeyond || Row.Low > 1 + WhatifBeyond);
    if (IsNotOne && isSerial(R, Row.Loop))
      Of.Refuted = Row.Node;
  }
  if (Of.Refuted != None)
    for (WhatifRow &Each : Of.Rows) {
      Each.Verdict = WhatifVerdict::Unknown;
      Each.SavesPercent = 0;
    }
}

// How many experiments ROW still needs: the interval narrows with the square
// root of their number.
double missingOf(const WhatifRow &Row) {
  if (Row.IsNarrow || Row.IsTooShort)
    return 0;
  double Least = static_cast<double>(whatif::LeastBlocks) - Row.Blocks;
  if (!Row.HasSlope)
    return std::max(Least, 1.0);
  double Wider = (Row.High - Row.Low) / whatif::WidthWanted;
  return std::max({Least, Row.Blocks * (Wider * Wider - 1), 1.0});
}
} // namespace

const char *loopscope::wordOf(WhatifVerdict Verdict) {
  switch (Verdict) {
  case WhatifVerdict::Critical:
    return "critical";
  case WhatifVerdict::Partly:
    return "partly";
  case WhatifVerdict::Hidden:
    return "hidden";
  case WhatifVerdict::Unknown:
    return "unknown";
  }
  return "unknown";
}

std::string loopscope::whatifPath(const Run &R, uint32_t N) {
  std::string Path;
  for (; R.Nodes[N].Parent != None; N = R.Nodes[N].Parent) {
    const Node &Each = R.Nodes[N];
    if (Each.Kind == LOOPSCOPE_KIND_STEP || Each.Kind == LOOPSCOPE_KIND_BATCH)
      continue;
    std::string Name = treeName(R, Each);
    if (!Path.empty())
      Name.append("/").append(Path);
    Path = std::move(Name);
  }
  return Path;
}

WhatifResult loopscope::whatifOf(const Run &R) {
  WhatifResult Result;
  uint64_t Blocks = R.Whatif.size();
  for (const WhatifBlock &Each : R.Whatif)
    Result.Steps += Each.StepNs.size() + Each.BurnIn;
  for (auto &[Key, From] : collect(R))
    Result.Rows.push_back(rowOf(R, From));
  refute(R, Result);
  markShort(Result.Rows);
  double Missing = 0;
  for (const WhatifRow &Each : Result.Rows)
    if (!Each.IsShort) {
      double More = missingOf(Each);
      Missing = std::max(Missing, More);
      Result.IsOutOfReach |= Each.Blocks + More > whatif::MostBlocks;
    } else
      Result.IsShortMissing |= !Each.IsNarrow;
  bool AnyTried = std::ranges::any_of(
      Result.Rows, [](const WhatifRow &Each) { return Each.Blocks != 0; });
  Result.IsDone = AnyTried && Result.Refuted == None && Missing == 0 &&
                  !Result.IsShortMissing;
  // Each round has one block per phase, with an undisturbed one before each.
  if (Blocks != 0 && !Result.IsOutOfReach && Result.Refuted == None)
    Result.StepsMissing = static_cast<uint64_t>(
        std::min(MostSteps, std::ceil(Missing * 2 *
                                      static_cast<double>(Result.Rows.size()) *
                                      static_cast<double>(Result.Steps) /
                                      static_cast<double>(Blocks))));
  std::stable_sort(Result.Rows.begin(), Result.Rows.end(),
                   [](const WhatifRow &A, const WhatifRow &B) {
                     if (A.SavesPercent != B.SavesPercent)
                       return A.SavesPercent > B.SavesPercent;
                     return A.PhaseSeconds > B.PhaseSeconds;
                   });
  return Result;
}
