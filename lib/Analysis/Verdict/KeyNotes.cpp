// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which key of a phase stands out, and with which keys its time grows.

#include "Analysis/Thresholds.h"
#include "Analysis/Tree/Outliers.h"
#include "Analysis/Verdict/Judge.h"
#include "Analysis/Verdict/Verdict.h"
#include "Support/Median.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

using namespace loopscope;

namespace {
// The spans of each key of one phase, by value.
struct Family {
  struct Less {
    const Run *P;
    bool operator()(uint32_t A, uint32_t B) const {
      return isBefore(P->Keys[A], P->Keys[B]);
    }
  };
  std::map<uint32_t, Moments, Less> SpansOf;
  bool IsWhole = true; ///< single integers, and no span within another
  std::set<uint32_t> Threads;
};

bool isInteger(const SpanKey &K) {
  return K.Type == LOOPSCOPE_KEY_SIGNED || K.Type == LOOPSCOPE_KEY_UNSIGNED;
}

// Whether the call path \p I is inside another one of its phase, whose time has
// its own in it.
bool isRecursive(const Run &P, size_t I) {
  uint32_t Up = P.Nodes[I].Parent;
  while (Up != None && P.Nodes[Up].Site != P.Nodes[I].Site)
    Up = P.Nodes[Up].Parent;
  return Up != None;
}

// Without the spans of warm-up steps.
std::map<uint32_t, Family> familiesOf(const Run &P) {
  std::map<uint32_t, Family> Result; // by site
  std::vector<bool> InWarmup(P.Nodes.size());
  for (size_t I = 0; I < P.Nodes.size(); ++I) {
    const Node &N = P.Nodes[I];
    InWarmup[I] = N.Warmup || (N.Parent != None && InWarmup[N.Parent]);
    if (N.Key == None || N.Site == None || InWarmup[I])
      continue;
    Family &Of =
        Result
            .try_emplace(N.Site,
                         Family{decltype(Family::SpansOf)({&P}), true, {}})
            .first->second;
    Of.IsWhole = Of.IsWhole && isInteger(P.Keys[N.Key]) && !isRecursive(P, I);
    if (N.Spans.count() == 0)
      continue;
    Of.SpansOf[N.Key].merge(N.Spans);
    Of.Threads.insert(N.Thread);
  }
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

std::string noteOf(const Run &P, uint32_t Site, const Family &Of,
                   int64_t &ExcessNs) {
  std::vector<int64_t> Means;
  std::vector<std::pair<uint32_t, const Moments *>> All;
  for (const auto &[Key, Spans] : Of.SpansOf) {
    All.emplace_back(Key, &Spans);
    Means.push_back(static_cast<int64_t>(Spans.meanNs()));
  }
  std::vector<size_t> Odd = outliersOf(Means);
  if (Odd.size() != 1 || isTrend(Means))
    return {};
  auto [Key, Spans] = All[Odd.front()];
  auto Median = static_cast<double>(lowerMedian(Means));
  double Excess = Spans->meanNs() - Median;
  auto Count = static_cast<double>(Spans->count());
  ExcessNs = static_cast<int64_t>(std::min(Excess * Count, 9e18));
  double Saves = part(ExcessNs, P.WallNs);
  double Threads = static_cast<double>(Of.Threads.size());
  if (Spans->count() < KeyFewestSpans || Spans->meanNs() < KeyLonger * Median ||
      Excess < static_cast<double>(KeyErrors) * Spans->deviationNs() /
                   std::sqrt(Count) ||
      Saves < Threads * WorthAWarning)
    return {};
  const loopscope::Site &S = P.Sites[Site];
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
std::vector<Point> pointsOf(const Run &P, const Family &Of) {
  std::vector<Point> Result;
  for (const auto &[Key, Spans] : Of.SpansOf) {
    const SpanKey &K = P.Keys[Key];
    bool IsNegative =
        K.Type == LOOPSCOPE_KEY_SIGNED && static_cast<int64_t>(K.Value) < 0;
    // The values of an enumeration are no amounts.
    if (K.Value == 0 || IsNegative || !K.Text.empty() || Spans.meanNs() <= 0)
      return {};
    Result.push_back(
        {std::log(static_cast<double>(K.Value)), std::log(Spans.meanNs())});
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

std::string growthOf(const Run &P, uint32_t Site, const Family &Of) {
  double Ns = 0;
  for (const auto &[Key, Spans] : Of.SpansOf)
    Ns += Spans.meanNs() * static_cast<double>(Spans.count());
  double Threads = static_cast<double>(Of.Threads.size());
  if (Ns < Threads * WorthAWarning * static_cast<double>(P.WallNs))
    return {};
  std::optional<double> Exponent = exponentOf(pointsOf(P, Of));
  if (!Exponent)
    return {};
  const loopscope::Site &S = P.Sites[Site];
  const SpanKey &Least = P.Keys[Of.SpansOf.begin()->first];
  const SpanKey &Most = P.Keys[Of.SpansOf.rbegin()->first];
  return fmt::format("{}{}: time grows with {}: 2.0 times the {}, {:.1f} "
                     "times the time ({} keys from {} to {}).",
                     S.Name, placeOf(S), Least.Label, Least.Label,
                     std::exp2(*Exponent), Of.SpansOf.size(), keyText(Least),
                     keyText(Most));
}
} // namespace

std::vector<std::string> loopscope::keyNotes(const Run &P) {
  std::vector<std::pair<int64_t, std::string>> Lines;
  // With a device, a phase's time on the host says little about its work.
  bool HasDeviceEvents =
      std::ranges::any_of(P.Stream.Events, [](const TraceEvent &E) {
        return isDeviceWork(E.Kind);
      });
  if (!P.Gpu.Work.empty() || HasDeviceEvents)
    return {};
  for (const auto &[Site, Of] : familiesOf(P)) {
    if (!Of.IsWhole)
      continue;
    int64_t ExcessNs = 0;
    std::string Line = growthOf(P, Site, Of);
    if (Line.empty())
      Line = noteOf(P, Site, Of, ExcessNs);
    if (!Line.empty())
      Lines.emplace_back(-ExcessNs, std::move(Line));
  }
  std::sort(Lines.begin(), Lines.end());
  std::vector<std::string> Result;
  for (auto &[Order, Line] : Lines)
    Result.push_back(std::move(Line));
  return Result;
}
