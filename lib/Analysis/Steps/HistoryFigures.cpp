// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divides what bins have by what it is of.

#include "Analysis/Steps/HistoryFigures.h"

#include "Support/Numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace loopscope;

namespace {
constexpr double Unknown = std::numeric_limits<double>::quiet_NaN();

int64_t sum(const std::vector<int64_t> &Ns) {
  return std::accumulate(Ns.begin(), Ns.end(), int64_t{0}, saturatingAdd);
}

std::vector<int64_t> processNs(const std::vector<HistoryBin> &Bins,
                               const std::vector<RunHistory> &Processes) {
  std::vector<int64_t> Result;
  for (const HistoryBin &Bin : Bins) {
    int64_t &Ns = Result.emplace_back();
    for (const RunHistory &Each : Processes) {
      int64_t End = std::min(Bin.ToNs, Each.Bins.back().ToNs);
      Ns = saturatingAdd(Ns, std::max<int64_t>(0, End - Bin.FromNs));
    }
  }
  return Result;
}

void addRates(LoopCurve &To, const std::vector<HistoryBin> &Bins) {
  auto Samples = std::ranges::any_of(
      To.Steps, [](const HistorySteps &Each) { return Each.Samples != 0; });
  To.HasSamples = Samples;
  double Amounts = 0;
  double Seconds = 0;
  for (size_t I = 0; I < Bins.size(); ++I) {
    const HistorySteps &In = To.Steps[I];
    auto Amount = static_cast<double>(Samples ? In.Samples : In.Steps);
    double Length =
        static_cast<double>(Bins[I].ToNs - Bins[I].FromNs) / NsPerSecond;
    bool IsIn = (To.StepNs[I] > 0 || In.Steps != 0) && Length > 0;
    To.Rates.push_back(IsIn ? Amount / Length : Unknown);
    Amounts += IsIn ? Amount : 0;
    Seconds += IsIn ? Length : 0;
  }
  To.Rate = Seconds > 0 ? Amounts / Seconds : 0;
}

// Where bins are about as short as steps or shorter, in most of them no step
// ends, or one: neighbours have one rate up to the bin in which a step ends. A
// step that doesn't end keeps 0.
void shareRates(LoopCurve &To, const std::vector<HistoryBin> &Bins) {
  constexpr size_t FewSteps = 2; // a bin, on average
  size_t Steps = 0;
  size_t Ran = 0;
  for (size_t I = 0; I < Bins.size(); ++I) {
    Steps += To.Steps[I].Steps;
    Ran += std::isnan(To.Rates[I]) ? 0 : 1;
  }
  if (Steps >= FewSteps * Ran)
    return;
  size_t First = 0;
  for (size_t I = 0; I < Bins.size(); ++I) {
    if (std::isnan(To.Rates[I])) {
      First = I + 1;
    } else if (To.Steps[I].Steps != 0) {
      double Shared = To.Rates[I] *
                      static_cast<double>(Bins[I].ToNs - Bins[I].FromNs) /
                      static_cast<double>(Bins[I].ToNs - Bins[First].FromNs);
      std::fill(To.Rates.begin() + static_cast<ptrdiff_t>(First),
                To.Rates.begin() + static_cast<ptrdiff_t>(I) + 1, Shared);
      First = I + 1;
    }
  }
}

// WHOLE: by bin, what shares are of.
void addShares(PartCurve &To, const std::vector<int64_t> &Whole) {
  auto Percent = [](int64_t Part, int64_t Of) {
    return Of > 0 ? 100.0 * static_cast<double>(Part) / static_cast<double>(Of)
                  : Unknown;
  };
  for (size_t I = 0; I < Whole.size(); ++I) {
    // What is in no part is short of what the parts have too much.
    int64_t Ns =
        To.Use == CurveUse::Rest ? std::max<int64_t>(0, To.Ns[I]) : To.Ns[I];
    To.Shares.push_back(Percent(Ns, Whole[I]));
  }
  To.Share = Percent(To.TotalNs, sum(Whole));
}
} // namespace

void loopscope::addHistoryFigures(const std::vector<RunHistory> &Processes,
                                  CurveBins Bins, HistoryCurves &To) {
  To.Processes = Processes.size();
  To.ProcessNs = processNs(To.Bins, Processes);
  for (LoopCurve &Each : To.Loops) {
    addRates(Each, To.Bins);
    if (Bins == CurveBins::WithSteps)
      shareRates(Each, To.Bins);
  }
  for (PartCurve &Each : To.Parts)
    addShares(Each, Each.Loop == SIZE_MAX ? To.ProcessNs
                                          : To.Loops[Each.Loop].StepNs);
}

std::optional<double> LoopCurve::quantileNs(const HistorySteps &In,
                                            double Fraction) const {
  uint64_t Known = 0;
  for (uint64_t Each : In.Buckets)
    Known += Each;
  if (In.Steps == 0 || Known != In.Steps || EdgesNs.empty())
    return std::nullopt;
  double Rank = Fraction * static_cast<double>(Known);
  if (In.LongestNs > 0 && Rank > static_cast<double>(Known - 1))
    return In.LongestNs; // it is the longest that is asked for
  uint64_t Upto = 0;
  size_t At = 0;
  for (; At < In.Buckets.size(); ++At) {
    Upto += In.Buckets[At];
    if (In.Buckets[At] != 0 && static_cast<double>(Upto) >= Rank)
      break;
  }
  // Their geometric mean is within 12 % of all durations between edges that are
  // as far apart. Those of the shortest durations are further.
  constexpr double MostApart = 1.25;
  if (At + 1 >= In.Buckets.size() ||
      EdgesNs[At + 1] > EdgesNs[At] * MostApart * (1 + 1e-9))
    return std::nullopt;
  double Ns = std::sqrt(EdgesNs[At] * EdgesNs[At + 1]);
  return In.LongestNs > 0 ? std::min(Ns, In.LongestNs) : Ns;
}
