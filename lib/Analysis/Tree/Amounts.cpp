// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of amounts over the tree, and what they are divided by.

#include "Analysis/Tree/Amounts.h"

#include "Analysis/Tree/DevicePeaks.h"
#include "Support/Numbers.h"

#include <loopscope/profile_counters.h>
#include <loopscope/run_settings.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace loopscope;

namespace {
AmountSum ownAmount(const Node &N, SpanAmount Which) {
  const GivenAmount &Given = N.Amounts[Which];
  return {Given.Sum, N.FinishedNs, Given.Spans != 0,
          Given.Spans >= N.Spans.count()};
}

// What steps outside the window gave isn't in any node, while their time is in
// the loop's.
bool leavesStepsOut(const Run &R, const Node &N) {
  return (N.Kind == LOOPSCOPE_KIND_TRAIN || N.Kind == LOOPSCOPE_KIND_VALID) &&
         R.Lost.Counters[LOOPSCOPE_COUNT_STEPS_EXCLUDED] != 0;
}

void addByNode(const Run &R, SpanAmount Which,
               std::vector<AmountSums> &Result) {
  // Children come after their parents.
  for (size_t I = R.Nodes.size(); I-- != 0;) {
    const Node &N = R.Nodes[I];
    AmountSum &Its = Result[I][Which];
    // Something below an open span may have ended.
    Its.Ns = N.countedNs();
    if (N.Amounts[Which].Spans != 0)
      Its = ownAmount(N, Which);
    else if (Its.IsGiven && leavesStepsOut(R, N))
      Its.IsWhole = false;
    if (N.Parent != None)
      Result[N.Parent][Which].add(Its);
  }
  // What a step gives, its batch has.
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (N.Kind != LOOPSCOPE_KIND_BATCH || N.Parent == None ||
        R.Nodes[N.Parent].Amounts[Which].Spans == 0)
      continue;
    AmountSum OfStep = Result[N.Parent][Which];
    OfStep.Ns = Result[I][Which].Ns;
    Result[I][Which] = OfStep;
  }
}

AmountSum inStage(const Run &R, SpanAmount Which,
                  const std::vector<loopscope_kind> &StageOf,
                  loopscope_kind Kind, int64_t Ns) {
  AmountSum Result;
  std::vector<bool> IsGivenFor(R.Nodes.size()); // by it or by one around it
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    bool Gives = N.Amounts[Which].Spans != 0;
    bool Around = N.Parent != None && IsGivenFor[N.Parent];
    IsGivenFor[I] = Around || Gives;
    if (StageOf[I] != Kind)
      continue;
    if (!Around && Gives)
      Result.add(ownAmount(N, Which));
    Result.IsWhole &= !leavesStepsOut(R, N);
  }
  Result.Ns = Ns;
  return Result;
}
} // namespace

void AmountSum::add(const AmountSum &Other) {
  Sum += Other.Sum;
  Ns = saturatingAdd(Ns, Other.Ns);
  IsGiven |= Other.IsGiven;
  IsWhole &= Other.IsWhole;
}

void AmountSums::add(const AmountSums &Other) {
  for (const SpanAmountRow &Row : SpanAmounts)
    (*this)[Row.Which].add(Other[Row.Which]);
}

std::vector<AmountSums> loopscope::amountsByNode(const Run &R) {
  std::vector<AmountSums> Result(R.Nodes.size());
  for (SpanAmount Which : amountsOf(R))
    addByNode(R, Which, Result);
  return Result;
}

std::vector<SpanAmount> loopscope::amountsOf(const Run &R) {
  std::vector<SpanAmount> Result;
  for (const SpanAmountRow &Row : SpanAmounts)
    if (std::any_of(R.Nodes.begin(), R.Nodes.end(), [&](const Node &N) {
          return N.Amounts[Row.Which].Spans != 0;
        }))
      Result.push_back(Row.Which);
  return Result;
}

AmountSums loopscope::amountsInStage(const Run &R,
                                     const std::vector<loopscope_kind> &StageOf,
                                     loopscope_kind Kind, int64_t Ns) {
  AmountSums Result;
  for (SpanAmount Which : amountsOf(R))
    Result[Which] = inStage(R, Which, StageOf, Kind, Ns);
  return Result;
}

FlopsPeak loopscope::flopsPeak(const Run &R) {
  std::set<std::string> Processes, Names;
  double Devices = 0;
  double Dense = 0;
  for (const GpuDevice &D : R.Gpu.Devices)
    if (D.BusyNs > 0) {
      Processes.insert(D.Process);
      Names.insert(D.Name);
      Dense = densePeak(D.Name);
      ++Devices;
    }
  FlopsPeak Result;
  if (Devices > 0)
    Result.Devices = Devices / static_cast<double>(Processes.size());
  if (uint64_t Given = R.Given.of(LOOPSCOPE_SETTING_FLOPS_PEAK); Given != 0) {
    Result.FlopsPerSecond = static_cast<double>(Given);
    Result.Source = "peak=";
  } else if (Names.empty()) {
    Result.Source = "no GPU did any work";
  } else if (Names.size() > 1) {
    Result.Source = "the run used GPUs of different kinds";
  } else if (Dense == 0) {
    Result.Source = fmt::format("no peak is known for '{}'", *Names.begin());
  } else {
    Result.FlopsPerSecond = Dense;
    Result.Source = fmt::format("{}, bfloat16, dense", *Names.begin());
  }
  return Result;
}

std::optional<double> loopscope::perSecond(const AmountSum &Of, int64_t BusyNs,
                                           double Devices) {
  double Ns = std::max(static_cast<double>(Of.Ns),
                       static_cast<double>(BusyNs) / Devices);
  if (!Of.IsGiven || !Of.IsWhole || Ns <= 0)
    return std::nullopt;
  return Of.Sum * NsPerSecond / Ns;
}
