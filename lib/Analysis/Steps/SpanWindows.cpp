// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows of single spans, spread over a track.

#include "Analysis/Steps/SpanWindows.h"

#include <algorithm>
#include <numeric>

using namespace loopscope;

namespace {
// Windows that are spread over a track, so that zooming in finds single spans
// near any place.
constexpr size_t SpreadWindows = 64;

class Chooser {
public:
  explicit Chooser(const SpanStarts &Spans) : Spans(Spans) {}

  // The time from FROM on in which COUNT spans begin.
  void addCount(int64_t From, uint64_t Count) {
    uint64_t First = Spans.firstAt(From);
    if (First >= Spans.size() || Count == 0)
      return;
    uint64_t End = First + Count;
    add(Spans.startOf(First),
        End < Spans.size() ? Spans.startOf(End) : Spans.lastNs() + 1);
  }
  void add(int64_t From, int64_t To) {
    if (From < To)
      Windows.emplace_back(From, To);
  }

  // Spans that begin in [FROM, TO).
  uint64_t count(int64_t From, int64_t To) const {
    uint64_t End = Spans.firstAt(To);
    return End - std::min(Spans.firstAt(From), End);
  }

  std::vector<std::pair<int64_t, int64_t>> united() {
    std::sort(Windows.begin(), Windows.end());
    std::vector<std::pair<int64_t, int64_t>> Result;
    for (const auto &[From, To] : Windows)
      if (!Result.empty() && From <= Result.back().second)
        Result.back().second = std::max(Result.back().second, To);
      else
        Result.emplace_back(From, To);
    return Result;
  }

private:
  const SpanStarts &Spans;
  std::vector<std::pair<int64_t, int64_t>> Windows;
};
} // namespace

std::vector<size_t> loopscope::fairShares(const std::vector<size_t> &Counts,
                                          size_t Most) {
  std::vector<size_t> Order(Counts.size());
  std::iota(Order.begin(), Order.end(), size_t{0});
  std::sort(Order.begin(), Order.end(),
            [&](size_t A, size_t B) { return Counts[A] < Counts[B]; });
  std::vector<size_t> Shares(Counts.size(), 0);
  for (size_t I = 0; I < Order.size(); ++I) {
    Shares[Order[I]] = std::min(Counts[Order[I]], Most / (Order.size() - I));
    Most -= Shares[Order[I]];
  }
  return Shares;
}

std::vector<std::pair<int64_t, int64_t>>
loopscope::spanWindows(const SpanStarts &Spans,
                       const std::vector<std::pair<int64_t, int64_t>> &Wanted,
                       size_t Most) {
  if (Spans.size() == 0 || Most == 0)
    return {};
  Chooser Chosen(Spans);
  int64_t First = Spans.startOf(0);
  if (Spans.size() <= Most)
    return {{First, Spans.lastNs() + 1}};
  uint64_t Room = Most / 4;
  for (const auto &[From, To] : Wanted) {
    uint64_t Count = Chosen.count(From, To);
    if (Count > Room)
      continue;
    Room -= Count;
    Chosen.add(From, To);
  }
  Chosen.addCount(Spans.startOf(Spans.size() - Most / 4), Most / 4);
  Chosen.addCount(First, Most / 8);
  uint64_t Count = Most * 3 / 8 + Room;
  uint64_t Windows = std::min<uint64_t>(SpreadWindows, Count);
  for (uint64_t I = 0; I < Windows; ++I) {
    double Part = static_cast<double>(I) / static_cast<double>(Windows);
    Chosen.addCount(First +
                        static_cast<int64_t>(
                            Part * static_cast<double>(Spans.lastNs() - First)),
                    Count / Windows);
  }
  return Chosen.united();
}
