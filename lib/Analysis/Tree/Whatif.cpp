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
std::map<PhaseKey, Collected> collect(const Run &P) {
  std::map<PhaseKey, Collected> Result;
  const std::vector<WhatifBlock> &All = P.Whatif;
  for (size_t I = 0; I < All.size(); ++I) {
    if (All[I].Phase == None)
      continue;
    Collected &To = Result[{All[I].Process, P.Nodes[All[I].Phase].Site,
                            P.Nodes[All[I].Loop].Site}];
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
bool isOfOtherSteps(const Run &P, uint32_t N, uint32_t Loop) {
  uint32_t Outermost = None;
  for (; N != None; N = P.Nodes[N].Parent)
    if (P.Nodes[N].Kind == LOOPSCOPE_KIND_STEP)
      Outermost = P.Nodes[N].Parent;
  return Outermost != None && P.Nodes[Outermost].Site != P.Nodes[Loop].Site;
}

// A phase that holds up other steps, which weren't measured, doesn't count as
// hidden.
WhatifVerdict verdictOf(const Run &P, const WhatifRow &Row) {
  if (!Row.HasSlope ||
      (Row.Low < WhatifCritical && isOfOtherSteps(P, Row.Node, Row.Loop)))
    return WhatifVerdict::Unknown;
  if (Row.Low >= WhatifCritical)
    return WhatifVerdict::Critical;
  if (Row.High <= WhatifHidden)
    return WhatifVerdict::Hidden;
  if (Row.Low >= WhatifNotHidden && Row.High <= WhatifNotWhole)
    return WhatifVerdict::Partly;
  return WhatifVerdict::Unknown;
}

WhatifRow rowOf(const Run &P, Collected &From) {
  WhatifRow Row;
  Row.Node = From.Node;
  Row.Loop = From.Loop;
  Row.Blocks = static_cast<uint32_t>(From.Slopes.size());
  if (Row.Blocks == 0)
    return Row;
  auto Steps = static_cast<double>(From.Steps);
  Row.PhaseSeconds = From.PhaseNs / Steps / NsPerSecond;
  Row.StepSeconds = From.StepNs / Row.Blocks / NsPerSecond;
  whatif::Interval I = whatif::intervalOf(From.Slopes.data(), Row.Blocks);
  Row.HasSlope = I.IsKnown;
  Row.Slope = I.Slope;
  Row.Low = I.Low;
  Row.High = I.High;
  Row.IsNarrow = I.isNarrow();
  Row.Verdict = verdictOf(P, Row);
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

// How many experiments ROW still needs: the interval narrows with the square
// root of their number.
double missingOf(const WhatifRow &Row) {
  if (Row.IsNarrow)
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

std::string loopscope::whatifPath(const Run &P, uint32_t N) {
  std::string Path;
  for (; P.Nodes[N].Parent != None; N = P.Nodes[N].Parent) {
    const Node &Each = P.Nodes[N];
    if (Each.Kind == LOOPSCOPE_KIND_STEP || Each.Kind == LOOPSCOPE_KIND_BATCH)
      continue;
    std::string Name = treeName(P, Each);
    if (!Path.empty())
      Name.append("/").append(Path);
    Path = std::move(Name);
  }
  return Path;
}

WhatifResult loopscope::whatifOf(const Run &P) {
  WhatifResult Result;
  uint64_t Blocks = P.Whatif.size();
  for (const WhatifBlock &Each : P.Whatif)
    Result.Steps += Each.StepNs.size() + Each.BurnIn;
  for (auto &[Key, From] : collect(P))
    Result.Rows.push_back(rowOf(P, From));
  markShort(Result.Rows);
  double Missing = 0;
  for (const WhatifRow &Each : Result.Rows)
    if (!Each.IsShort)
      Missing = std::max(Missing, missingOf(Each));
    else
      Result.IsShortMissing |= !Each.IsNarrow;
  Result.IsDone =
      !Result.Rows.empty() && Missing == 0 && !Result.IsShortMissing;
  // Each round has one block per phase, with an undisturbed one before each.
  if (Blocks != 0)
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
