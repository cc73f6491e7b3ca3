// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which key of a phase stands out, and with which keys its time grows.

#include "Analysis/Thresholds.h"
#include "Analysis/Tree/KeyFamilies.h"
#include "Analysis/Tree/Outliers.h"
#include "Analysis/Verdict/Judge.h"
#include "Analysis/Verdict/Verdict.h"
#include "Support/Median.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

using namespace loopscope;

namespace {
// A key of a phase with spans outside the warm-up.
struct KeySpans {
  uint32_t Key;
  const Moments *Spans;
};

// In the order of the keys.
std::vector<KeySpans> steadySpans(const KeyFamily &Of) {
  std::vector<KeySpans> Result;
  for (const KeySums &Each : Of.Keys)
    if (Each.Steady.count() != 0)
      Result.push_back({Each.Key, &Each.Steady});
  return Result;
}

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

std::string noteOf(const Run &P, const KeyFamily &Of, KeyNote &Note) {
  std::vector<KeySpans> All = steadySpans(Of);
  std::vector<int64_t> Means;
  for (const KeySpans &Each : All)
    Means.push_back(static_cast<int64_t>(Each.Spans->meanNs()));
  std::vector<size_t> Odd = outliersOf(Means);
  if (Odd.size() != 1 || isTrend(Means))
    return {};
  auto [Key, Spans] = All[Odd.front()];
  auto Median = static_cast<double>(lowerMedian(Means));
  double Excess = Spans->meanNs() - Median;
  auto Count = static_cast<double>(Spans->count());
  auto ExcessNs = static_cast<int64_t>(std::min(Excess * Count, 9e18));
  double Saves = part(ExcessNs, P.WallNs);
  double Threads = static_cast<double>(Of.Threads.size());
  if (Spans->count() < KeyFewestSpans || Spans->meanNs() < KeyLonger * Median ||
      Excess < static_cast<double>(KeyErrors) * Spans->deviationNs() /
                   std::sqrt(Count) ||
      Saves < Threads * WorthAWarning)
    return {};
  const loopscope::Site &S = P.Sites[Of.Site];
  Note.Key = Key;
  Note.ExcessNs = ExcessNs;
  // Several threads save it at the same time, or one waits for another; and
  // nothing may wait for a worker.
  bool IsRuns = Of.Threads.size() == 1 && P.Threads[*Of.Threads.begin()].IsMain;
  std::string Gain =
      !IsRuns ? ""
              : fmt::format("; without the excess, the run would be {} shorter",
                            percent(Saves));
  return fmt::format("{}[{}]{} takes {:.1f} times the median of {} keys "
                     "({}){}.",
                     S.Name, keyText(P.Keys[Key]), placeOf(S),
                     Spans->meanNs() / Median, Means.size(), P.Keys[Key].Label,
                     Gain);
}

// The mean time at each key, both as logarithms.
struct Point {
  double Key, Time;
};

// The point of each key, by key; empty if a key isn't above 0.
std::vector<Point> pointsOf(const Run &P, const std::vector<KeySpans> &Of) {
  std::vector<Point> Result;
  for (const KeySpans &Each : Of) {
    const SpanKey &K = P.Keys[Each.Key];
    bool IsNegative =
        K.Type == LOOPSCOPE_KEY_SIGNED && static_cast<int64_t>(K.Value) < 0;
    // The values of an enumeration are no amounts.
    if (K.Value == 0 || IsNegative || !K.Text.empty() ||
        Each.Spans->meanNs() <= 0)
      return {};
    Result.push_back({std::log(static_cast<double>(K.Value)),
                      std::log(Each.Spans->meanNs())});
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

std::string growthOf(const Run &P, const KeyFamily &Of) {
  std::vector<KeySpans> All = steadySpans(Of);
  double Ns = 0;
  for (const KeySpans &Each : All)
    Ns += Each.Spans->meanNs() * static_cast<double>(Each.Spans->count());
  double Threads = static_cast<double>(Of.Threads.size());
  if (Ns < Threads * WorthAWarning * static_cast<double>(P.WallNs))
    return {};
  std::optional<double> Exponent = exponentOf(pointsOf(P, All));
  if (!Exponent)
    return {};
  const loopscope::Site &S = P.Sites[Of.Site];
  const SpanKey &Least = P.Keys[All.front().Key];
  const SpanKey &Most = P.Keys[All.back().Key];
  return fmt::format("{}{}: time grows with {}: 2.0 times the {}, {:.1f} "
                     "times the time ({} keys from {} to {}).",
                     S.Name, placeOf(S), Least.Label, Least.Label,
                     std::exp2(*Exponent), All.size(), keyText(Least),
                     keyText(Most));
}
} // namespace

std::vector<KeyNote> loopscope::keyNotes(const Run &P) {
  // With a device, a phase's time on the host says little about its work.
  bool HasDeviceEvents =
      std::ranges::any_of(P.Stream.Events, [](const TraceEvent &E) {
        return isDeviceWork(E.Kind);
      });
  if (!P.Gpu.Work.empty() || HasDeviceEvents)
    return {};
  std::vector<uint32_t> SiteOf;
  for (const Node &N : P.Nodes)
    SiteOf.push_back(N.Site);
  std::vector<KeyNote> Result;
  for (const KeyFamily &Of : keyFamilies(P, SiteOf)) {
    if (!Of.IsWhole)
      continue;
    KeyNote Note;
    Note.Site = Of.Site;
    Note.Text = growthOf(P, Of);
    if (Note.Text.empty())
      Note.Text = noteOf(P, Of, Note);
    if (!Note.Text.empty())
      Result.push_back(std::move(Note));
  }
  std::ranges::sort(Result, [](const KeyNote &A, const KeyNote &B) {
    return A.ExcessNs != B.ExcessNs ? A.ExcessNs > B.ExcessNs : A.Text < B.Text;
  });
  return Result;
}
