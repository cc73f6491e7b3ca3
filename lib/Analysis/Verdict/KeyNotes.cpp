// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which key of a phase stands out, and with which keys its time grows.

#include "Analysis/Thresholds.h"
#include "Analysis/Tree/KeyFamilies.h"
#include "Analysis/Tree/Outliers.h"
#include "Analysis/Verdict/Judge.h"
#include "Analysis/Verdict/KeyMeans.h"
#include "Analysis/Verdict/Verdict.h"
#include "Support/Median.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

using namespace loopscope;

namespace {
// Whether times rise or fall with the key: then the last one isn't odd.
bool isTrend(const std::vector<int64_t> &Means) {
  size_t Rises = 0, Falls = 0;
  for (size_t I = 1; I < Means.size(); ++I) {
    Rises += Means[I] > Means[I - 1];
    Falls += Means[I] < Means[I - 1];
  }
  return static_cast<double>(std::max(Rises, Falls)) >=
         KeyTrend * static_cast<double>(Means.size() - 1);
}

// " (train.cpp:3)"; traces know no places.
std::string placeOf(const loopscope::Site &S) {
  return S.File.empty()
             ? ""
             : fmt::format(" ({})", placeText(fileName(S.File), S.Line));
}

// The part of the run that something needs to be worth a line: each thread has
// the run's time once.
double leastPart(const KeyFamily &Of) {
  return WorthAWarning * static_cast<double>(Of.Threads.size());
}

// Which of the means stands apart from all others: an outlier, and far from the
// next one.
std::optional<size_t> oddOneOf(const std::vector<int64_t> &Means) {
  std::vector<size_t> Odd = outliersOf(Means);
  if (Odd.empty() || isTrend(Means))
    return std::nullopt;
  std::ranges::sort(Odd, std::greater<>(), [&](size_t I) { return Means[I]; });
  if (Odd.size() > 1 && static_cast<double>(Means[Odd[0]]) <
                            KeyLonger * static_cast<double>(Means[Odd[1]]))
    return std::nullopt;
  return Odd.front();
}

// "; without the excess, ...": what the excess is a part of.
std::string gainText(const Run &R, const KeyFamily &Of, bool IsGpu,
                     int64_t ExcessNs) {
  if (IsGpu) {
    int64_t BusyNs = 0;
    for (const GpuDevice &Each : R.Gpu.Devices)
      BusyNs = saturatingAdd(BusyNs, Each.BusyNs);
    return fmt::format("; the excess is {} of the devices' busy time",
                       percent(part(ExcessNs, BusyNs)));
  }
  // Several threads save it at the same time, or one waits for another; and
  // nothing may wait for a worker.
  bool IsRuns = Of.Threads.size() == 1 && R.Threads[*Of.Threads.begin()].IsMain;
  return !IsRuns
             ? ""
             : fmt::format("; without the excess, the run would be {} shorter",
                           percent(part(ExcessNs, R.WallNs)));
}

std::string noteOf(const Run &R, const KeyFamily &Of, const KeyMeans &All,
                   KeyNote &Note) {
  std::vector<int64_t> Means;
  for (const KeyMean &Each : All.Keys)
    Means.push_back(static_cast<int64_t>(Each.MeanNs));
  std::optional<size_t> Odd = oddOneOf(Means);
  if (!Odd)
    return {};
  const KeyMean &Its = All.Keys[*Odd];
  auto Median = static_cast<double>(lowerMedian(Means));
  double Excess = Its.MeanNs - Median;
  auto ExcessNs = static_cast<int64_t>(
      std::min(Excess * static_cast<double>(Its.Count), 9e18));
  if (Its.Count < KeyFewestSpans || Its.MeanNs < KeyLonger * Median ||
      Excess < Its.DoubtNs || part(ExcessNs, R.WallNs) < leastPart(Of))
    return {};
  const loopscope::Site &S = R.Sites[Of.Site];
  Note.Key = Its.Key;
  Note.IsGpu = All.IsGpu;
  Note.ExcessNs = ExcessNs;
  return fmt::format("{}[{}]{} takes {:.1f} times the median{} of {} keys "
                     "({}){}.",
                     S.Name, keyText(R.Keys[Its.Key]), placeOf(S),
                     Its.MeanNs / Median, All.IsGpu ? " GPU time" : "",
                     Means.size(), R.Keys[Its.Key].Label,
                     gainText(R, Of, All.IsGpu, ExcessNs));
}

// The mean time at each key, both as logarithms.
struct Point {
  double Key, Time;
};

// The point of each key, by key; empty if a key isn't above 0.
std::vector<Point> pointsOf(const Run &R, const std::vector<KeyMean> &Of) {
  std::vector<Point> Result;
  for (const KeyMean &Each : Of) {
    const SpanKey &K = R.Keys[Each.Key];
    bool IsPositive = K.Type == LOOPSCOPE_KEY_SIGNED
                          ? static_cast<int64_t>(K.Value) > 0
                          : K.Type == LOOPSCOPE_KEY_UNSIGNED && K.Value > 0;
    // The values of an enumeration are no amounts.
    if (!IsPositive || !K.Text.empty() || Each.MeanNs <= 0)
      return {};
    Result.push_back(
        {std::log(static_cast<double>(K.Value)), std::log(Each.MeanNs)});
  }
  return Result;
}

// The exponent with which times grow with the key, by the median of the slopes
// between all pairs of points (Theil and Sen), if the ranks of key and time
// agree in more pairs than chance explains (Kendall).
std::optional<double> exponentOf(const std::vector<Point> &Points) {
  auto Count = static_cast<double>(Points.size());
  std::vector<double> Slopes;
  int64_t Agree = 0;
  for (size_t I = 0; I < Points.size(); ++I)
    for (size_t J = I + 1; J < Points.size(); ++J) {
      double Rise = Points[J].Time - Points[I].Time;
      Agree += Rise > 0 ? 1 : Rise < 0 ? -1 : 0;
      Slopes.push_back(Rise / (Points[J].Key - Points[I].Key));
    }
  double Deviation = std::sqrt(Count * (Count - 1) * (2 * Count + 5) / 18);
  if (Slopes.empty() ||
      static_cast<double>(Agree) < static_cast<double>(KeyErrors) * Deviation)
    return std::nullopt;
  double Slope = lowerMedian(std::move(Slopes));
  double Reach = Points.back().Key - Points.front().Key;
  if (Reach < std::log(KeyGrowthReach) ||
      Slope * Reach < std::log(KeyGrowthLonger))
    return std::nullopt;
  std::vector<double> Rests;
  for (const Point &Each : Points)
    Rests.push_back(Each.Time - Slope * Each.Key);
  double Middle = lowerMedian(Rests);
  auto Near = std::ranges::count_if(Rests, [Middle](double Rest) {
    return std::abs(Rest - Middle) <= std::log1p(KeyGrowthNear);
  });
  return static_cast<double>(Near) >= KeyGrowthFitted * Count
             ? std::optional(Slope)
             : std::nullopt;
}

std::string growthOf(const Run &R, const KeyFamily &Of, const KeyMeans &All) {
  if (All.totalNs() < leastPart(Of) * static_cast<double>(R.WallNs))
    return {};
  std::optional<double> Exponent = exponentOf(pointsOf(R, All.Keys));
  if (!Exponent)
    return {};
  const loopscope::Site &S = R.Sites[Of.Site];
  const SpanKey &Least = R.Keys[All.Keys.front().Key];
  const SpanKey &Most = R.Keys[All.Keys.back().Key];
  return fmt::format("{}{}: {} grows with {}: 2.0 times the {}, {:.1f} "
                     "times the time ({} keys from {} to {}).",
                     S.Name, placeOf(S), All.IsGpu ? "GPU time" : "time",
                     Least.Label, Least.Label, std::exp2(*Exponent),
                     All.Keys.size(), keyText(Least), keyText(Most));
}
} // namespace

std::vector<KeyNote> loopscope::keyNotes(const Run &R) {
  if (std::ranges::all_of(R.Nodes, [](const Node &N) { return N.Key == None; }))
    return {};
  std::vector<uint32_t> SiteOf;
  for (const Node &N : R.Nodes)
    SiteOf.push_back(N.Site);
  KeyClock Clock(R);
  std::vector<KeyNote> Result;
  for (const KeyFamily &Of : keyFamilies(R, SiteOf, &Clock.gpu())) {
    KeyMeans All = Clock.meansOf(Of);
    if (!Of.IsWhole || All.Keys.empty())
      continue;
    KeyNote Note;
    Note.Site = Of.Site;
    Note.Text = growthOf(R, Of, All);
    if (Note.Text.empty())
      Note.Text = noteOf(R, Of, All, Note);
    if (!Note.Text.empty())
      Result.push_back(std::move(Note));
  }
  std::ranges::sort(Result, [](const KeyNote &A, const KeyNote &B) {
    return A.ExcessNs != B.ExcessNs ? A.ExcessNs > B.ExcessNs : A.Text < B.Text;
  });
  return Result;
}
