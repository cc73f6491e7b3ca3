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
  explicit Chooser(const std::vector<TrackSpan> &Spans) : Spans(Spans) {
    for (const TrackSpan &S : Spans)
      LastNs = std::max(LastNs, S.EndNs);
  }

  // The time from FROM on in which SPANS begin.
  void addCount(int64_t From, size_t Count) {
    size_t First = indexAt(From);
    if (First >= Spans.size() || Count == 0)
      return;
    size_t End = First + Count;
    add(Spans[First].StartNs,
        End < Spans.size() ? Spans[End].StartNs : LastNs + 1);
  }
  void add(int64_t From, int64_t To) {
    if (From < To)
      Windows.push_back({From, To, {}});
  }

  // Spans that begin in [FROM, TO).
  size_t count(int64_t From, int64_t To) const {
    return indexAt(To) - std::min(indexAt(From), indexAt(To));
  }

  int64_t startOf(size_t Index) const { return Spans[Index].StartNs; }
  int64_t lastNs() const { return LastNs; }

  std::vector<SpanWindow> take();

private:
  size_t indexAt(int64_t Ns) const {
    return static_cast<size_t>(
        std::lower_bound(
            Spans.begin(), Spans.end(), Ns,
            [](const TrackSpan &S, int64_t At) { return S.StartNs < At; }) -
        Spans.begin());
  }
  void unite();

  const std::vector<TrackSpan> &Spans;
  int64_t LastNs = INT64_MIN;
  std::vector<SpanWindow> Windows;
};
} // namespace

void Chooser::unite() {
  std::sort(Windows.begin(), Windows.end(),
            [](const auto &A, const auto &B) { return A.FromNs < B.FromNs; });
  std::vector<SpanWindow> United;
  for (SpanWindow &Each : Windows)
    if (!United.empty() && Each.FromNs <= United.back().ToNs)
      United.back().ToNs = std::max(United.back().ToNs, Each.ToNs);
    else
      United.push_back(std::move(Each));
  Windows = std::move(United);
}

std::vector<SpanWindow> Chooser::take() {
  unite();
  std::vector<uint32_t> Open; // that may still run
  size_t Next = 0;
  for (SpanWindow &Each : Windows) {
    for (; Next < Spans.size() && Spans[Next].StartNs < Each.FromNs; ++Next) {
      std::erase_if(Open, [&](uint32_t I) {
        return Spans[I].EndNs <= Spans[Next].StartNs;
      });
      Open.push_back(static_cast<uint32_t>(Next));
    }
    std::erase_if(Open,
                  [&](uint32_t I) { return Spans[I].EndNs <= Each.FromNs; });
    Each.Spans = Open;
    for (; Next < Spans.size() && Spans[Next].StartNs < Each.ToNs; ++Next) {
      Each.Spans.push_back(static_cast<uint32_t>(Next));
      Open.push_back(static_cast<uint32_t>(Next));
    }
  }
  return std::move(Windows);
}

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

std::vector<SpanWindow>
loopscope::spanWindows(const std::vector<TrackSpan> &Spans,
                       const std::vector<std::pair<int64_t, int64_t>> &Wanted,
                       size_t Most) {
  if (Spans.empty() || Most == 0)
    return {};
  Chooser Chosen(Spans);
  int64_t First = Spans.front().StartNs;
  if (Spans.size() <= Most) {
    Chosen.add(First, Chosen.lastNs() + 1);
    return Chosen.take();
  }
  size_t Room = Most / 4;
  for (const auto &[From, To] : Wanted) {
    size_t Count = Chosen.count(From, To);
    if (Count > Room)
      continue;
    Room -= Count;
    Chosen.add(From, To);
  }
  Chosen.addCount(Chosen.startOf(Spans.size() - Most / 4), Most / 4);
  Chosen.addCount(First, Most / 8);
  size_t Count = Most * 3 / 8 + Room;
  size_t Windows = std::min(SpreadWindows, Count);
  for (size_t I = 0; I < Windows; ++I) {
    double Part = static_cast<double>(I) / static_cast<double>(Windows);
    Chosen.addCount(
        First + static_cast<int64_t>(
                    Part * static_cast<double>(Chosen.lastNs() - First)),
        Count / Windows);
  }
  return Chosen.take();
}
