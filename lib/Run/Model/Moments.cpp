// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the exact deviation from integer sums, and merges distributions.

#include "Run/Model/Moments.h"

#include <loopscope/profile_format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

using namespace loopscope;

namespace {
__extension__ typedef unsigned __int128 Wide;

long double toLongDouble(Wide Value) {
  return std::ldexp(
             static_cast<long double>(static_cast<uint64_t>(Value >> 64)), 64) +
         static_cast<long double>(static_cast<uint64_t>(Value));
}

// COUNT * SQUARES - SUM * SUM, in 192 bits; 0 where that would be negative.
long double scaledVariance(uint64_t Count, uint64_t Sum, uint64_t SquareLow,
                           uint64_t SquareHigh) {
  Wide Low = static_cast<Wide>(Count) * SquareLow;
  Wide High = static_cast<Wide>(Count) * SquareHigh + (Low >> 64);
  Wide Square = static_cast<Wide>(Sum) * Sum;
  auto LowWord = static_cast<uint64_t>(Low);
  auto SubLow = static_cast<uint64_t>(Square);
  Wide SubHigh = (Square >> 64) + (LowWord < SubLow ? 1 : 0);
  if (High < SubHigh)
    return 0;
  return std::ldexp(toLongDouble(High - SubHigh), 64) +
         static_cast<long double>(LowWord - SubLow);
}

using BucketEdges = std::pair<double, double>;

// A bucket is [first, second).
constexpr BucketEdges computedEdges(unsigned Index) {
  if (Index < 8)
    return {Index, Index + 1};
  unsigned Shift = Index / 8 - 1;
  uint64_t Low = static_cast<uint64_t>(8 + Index % 8) << Shift;
  return {static_cast<double>(Low),
          static_cast<double>(Low + (uint64_t{1} << Shift))};
}

constexpr auto EdgesOfAll = [] {
  std::array<BucketEdges, LOOPSCOPE_HISTOGRAM_BUCKETS> Result;
  for (unsigned I = 0; I < Result.size(); ++I)
    Result[I] = computedEdges(I);
  return Result;
}();

BucketEdges edgesOf(unsigned Index) {
  return Index < EdgesOfAll.size() ? EdgesOfAll[Index] : computedEdges(Index);
}

unsigned indexOf(const Bucket &Of) { return Of.Index; }

// Calls DO(index, count) for each of COUNTS that isn't 0. Most are 0, so eight
// are looked at together.
template <typename Function>
void forEachCount(std::span<const uint64_t> Counts, Function Do) {
  constexpr size_t Together = 8;
  for (size_t First = 0; First < Counts.size(); First += Together) {
    size_t End = std::min(First + Together, Counts.size());
    uint64_t Any = 0;
    for (size_t I = First; I < End; ++I)
      Any |= Counts[I];
    for (size_t I = Any == 0 ? End : First; I < End; ++I)
      if (Counts[I] != 0)
        Do(static_cast<unsigned>(I), Counts[I]);
  }
}

// Collects buckets that come in ascending order.
class BucketList {
public:
  void add(unsigned Index, uint64_t Count) {
    if (Used != 0 && Indices[Used - 1] == Index) {
      Counts[Used - 1] += Count;
      return;
    }
    Indices[Used] = Index;
    Counts[Used++] = Count;
  }
  std::vector<Bucket> take() const {
    std::vector<Bucket> Result;
    Result.reserve(Used);
    for (size_t I = 0; I < Used; ++I)
      Result.emplace_back(Indices[I], Counts[I]);
    return Result;
  }

private:
  // Not cleared: few are used.
  std::array<unsigned, LOOPSCOPE_HISTOGRAM_BUCKETS> Indices;
  std::array<uint64_t, LOOPSCOPE_HISTOGRAM_BUCKETS> Counts;
  size_t Used = 0;
};

unsigned indexOfTicks(uint64_t Ticks) {
  if (Ticks < 8)
    return static_cast<unsigned>(Ticks);
  auto Exponent = static_cast<unsigned>(std::bit_width(Ticks)) - 1;
  unsigned Index =
      (Exponent - 2) * 8 + static_cast<unsigned>((Ticks >> (Exponent - 3)) & 7);
  // The last bucket takes everything that is longer.
  return std::min(Index, LOOPSCOPE_HISTOGRAM_BUCKETS - 1);
}

// As std::llround, which isn't inlined; VALUE isn't negative.
uint64_t rounded(double Value) {
  auto Whole = static_cast<uint64_t>(Value);
  return Whole + (Value - static_cast<double>(Whole) >= 0.5 ? 1 : 0);
}

// Spreads COUNT spans evenly over [LOW, HIGH) nanoseconds, in whole numbers:
// what a bucket gets is what has come up to its end, rounded.
void spread(double Low, double High, uint64_t Count, BucketList &Into) {
  constexpr double Longest = 0x1p62;
  constexpr unsigned Last = LOOPSCOPE_HISTOGRAM_BUCKETS - 1;
  auto First = indexOfTicks(static_cast<uint64_t>(std::min(Low, Longest)));
  uint64_t Given = 0;
  for (unsigned I = First; Given != Count; ++I) {
    double End = I < Last ? EdgesOfAll[I].second : High;
    uint64_t UpToHere = Count;
    if (End < High)
      UpToHere = std::min(Count, rounded((End - Low) / (High - Low) *
                                         static_cast<double>(Count)));
    if (UpToHere != Given)
      Into.add(I, UpToHere - Given);
    Given = UpToHere;
  }
}
} // namespace

std::vector<Bucket> loopscope::bucketsInNs(std::span<const uint64_t> Counts,
                                           double NsPerTick, unsigned First) {
  // Each of COUNTS ends where the next one begins, so buckets ascend.
  BucketList InNs;
  forEachCount(Counts, [&](unsigned I, uint64_t Count) {
    auto [Low, High] = edgesOf(First + I);
    if (NsPerTick == 1)
      InNs.add(First + I, Count);
    else if (High - Low == 1) // holds one whole number
      spread(Low * NsPerTick, Low * NsPerTick, Count, InNs);
    else
      spread(Low * NsPerTick, High * NsPerTick, Count, InNs);
  });
  return InNs.take();
}

Moments Moments::fromSums(uint64_t Count, uint64_t Sum, uint64_t SquareLow,
                          uint64_t SquareHigh, double NsPerTick) {
  Moments Result;
  if (Count == 0)
    return Result;
  long double Scale = NsPerTick;
  Result.Count = Count;
  Result.Mean = static_cast<long double>(Sum) * Scale / Count;
  Result.SquaredDeviation =
      scaledVariance(Count, Sum, SquareLow, SquareHigh) / Count * Scale * Scale;
  return Result;
}

void Moments::setDistribution(double MinNs, double MaxNs,
                              std::vector<Bucket> Buckets) {
  Min = MinNs;
  Max = MaxNs;
  Distribution = std::move(Buckets);
}

void Moments::merge(const Moments &Other) {
  if (Other.Count == 0)
    return;
  if (Count == 0) {
    *this = Other;
    return;
  }
  auto Mine = static_cast<long double>(Count);
  auto Theirs = static_cast<long double>(Other.Count);
  long double Delta = Other.Mean - Mean;
  SquaredDeviation +=
      Other.SquaredDeviation + Delta * Delta * Mine * Theirs / (Mine + Theirs);
  Mean += Delta * Theirs / (Mine + Theirs);
  Count += Other.Count;
  Min = std::min(Min, Other.Min);
  Max = std::max(Max, Other.Max);
  mergeDistribution(Other.Distribution);
}

// Most often no bucket is new: OTHER is of another rank of the same program.
void Moments::mergeDistribution(const std::vector<Bucket> &Other) {
  std::vector<Bucket> New;
  auto To = Distribution.begin();
  for (const Bucket &Each : Other) {
    while (To != Distribution.end() && To->Index < Each.Index)
      ++To;
    if (To != Distribution.end() && To->Index == Each.Index)
      *To = Bucket(Each.Index, uint64_t{To->Count} + Each.Count);
    else
      New.push_back(Each);
  }
  if (New.empty())
    return;
  std::vector<Bucket> All;
  All.reserve(Distribution.size() + New.size());
  std::ranges::merge(Distribution, New, std::back_inserter(All), {}, &indexOf,
                     &indexOf);
  Distribution = std::move(All);
}

double Moments::deviationNs() const {
  if (Count == 0)
    return 0;
  return static_cast<double>(
      std::sqrt(SquaredDeviation / static_cast<long double>(Count)));
}

double Moments::percentileNs(double Fraction) const {
  long double Total = 0;
  for (const Bucket &Each : Distribution)
    Total += static_cast<long double>(Each.Count);
  if (Total == 0)
    return std::clamp(meanNs(), Min, std::max(Min, Max));
  long double Wanted = std::ceil(Total * static_cast<long double>(Fraction));
  long double Seen = 0;
  double Value = Distribution.back().ns();
  for (const Bucket &Each : Distribution) {
    Seen += static_cast<long double>(Each.Count);
    if (Seen >= Wanted) {
      Value = Each.ns();
      break;
    }
  }
  return std::clamp(Value, Min, std::max(Min, Max));
}

double loopscope::bucketTicks(unsigned Index) {
  auto [Low, High] = edgesOf(Index);
  if (High - Low == 1) // holds one whole number
    return Low;
  return 2 * Low * High / (Low + High);
}

double loopscope::lowestTicks(unsigned Index) { return edgesOf(Index).first; }

unsigned loopscope::bucketOf(uint64_t Ticks) { return indexOfTicks(Ticks); }
