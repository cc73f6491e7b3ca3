// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every number of a record.

#include "Run/Read/RangesReader.h"

#include <algorithm>
#include <unordered_map>

using namespace loopscope;

namespace {
// How long the open ranges have lasted in total; 0 if the record can't be
// right. A range may have begun after the run's last sign of life.
uint64_t openTicks(const loopscope_range &R, uint64_t RunTicks) {
  uint64_t Whole = 0;
  bool TooLong = __builtin_mul_overflow(uint64_t{R.open}, RunTicks, &Whole);
  return TooLong || Whole < R.open_start_ticks ? 0 : Whole - R.open_start_ticks;
}

// Records in the file -> Run::Ranges.
using RangeOf = std::unordered_map<uint32_t, uint32_t>;

void readSpans(ProfileBytes &Records, const Clock &Ticks, uint64_t RunTicks,
               const RangeOf &Of, Run &P) {
  for (const loopscope_range_event &E : Records.rangeEvents(P.Lost.TornNodes)) {
    auto Found = Of.find(E.range);
    bool IsOpen = E.end_ticks == 0;
    // A range may have begun after the run's last sign of life.
    uint64_t End = IsOpen ? std::max(RunTicks, E.begin_ticks) : E.end_ticks;
    if (Found == Of.end() || End < E.begin_ticks) {
      ++P.Lost.BadRecords;
      continue;
    }
    P.RangeSpans.push_back({"", Found->second, IsOpen,
                            Ticks.toNs(E.begin_ticks), Ticks.toNs(End)});
  }
  std::ranges::stable_sort(P.RangeSpans, {}, &RangeSpan::StartNs);
}
} // namespace

void loopscope::readRanges(ProfileBytes &Records, const Clock &Ticks,
                           uint64_t RunTicks, bool Spans, Run &P) {
  RangeOf Places;
  for (const auto &Record : Records.ranges()) {
    const loopscope_range &R = Record.Value;
    P.Lost.TornNodes += Record.Torn;
    std::string Name = Records.text(R.name);
    bool IsSound = R.count == 0 ||
                   (R.min_ticks <= R.max_ticks && R.max_ticks <= R.sum_ticks);
    if (Name.empty() || !IsSound) {
      ++P.Lost.BadRecords;
      continue;
    }
    if (R.count == 0 && R.open == 0 && R.ended_again == 0)
      continue;
    RangeSum Next;
    Next.Name = std::move(Name);
    Next.Count = R.count;
    Next.Ns = Ticks.toNs(R.sum_ticks);
    if (R.count != 0) {
      Next.MinNs = Ticks.toNs(R.min_ticks);
      Next.MaxNs = Ticks.toNs(R.max_ticks);
    }
    Next.Open = R.open;
    Next.OpenNs = Ticks.toNs(openTicks(R, RunTicks));
    Next.EndedAgain = R.ended_again;
    Places[Record.Index] = addRange(P.Ranges, std::move(Next));
  }
  if (Spans)
    readSpans(Records, Ticks, RunTicks, Places, P);
}
