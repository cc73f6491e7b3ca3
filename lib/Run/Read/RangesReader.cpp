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
               const RangeOf &Of, Run &R) {
  for (const loopscope_range_event &E : Records.rangeEvents(R.Lost.TornNodes)) {
    auto Found = Of.find(E.range);
    bool IsOpen = E.end_ticks == 0;
    // A range may have begun after the run's last sign of life.
    uint64_t End = IsOpen ? std::max(RunTicks, E.begin_ticks) : E.end_ticks;
    if (Found == Of.end() || End < E.begin_ticks) {
      ++R.Lost.BadRecords;
      continue;
    }
    R.RangeSpans.push_back({"", Found->second, IsOpen,
                            Ticks.toNs(E.begin_ticks), Ticks.toNs(End)});
  }
  std::ranges::stable_sort(R.RangeSpans, {}, &RangeSpan::StartNs);
}
} // namespace

void loopscope::readRanges(ProfileBytes &Records, const Clock &Ticks,
                           uint64_t RunTicks, bool Spans, Run &R) {
  RangeOf Places;
  for (const auto &Record : Records.ranges()) {
    const loopscope_range &Raw = Record.Value;
    R.Lost.TornNodes += Record.Torn;
    std::string Name = Records.text(Raw.name);
    bool IsSound = Raw.count == 0 || (Raw.min_ticks <= Raw.max_ticks &&
                                      Raw.max_ticks <= Raw.sum_ticks);
    if (Name.empty() || !IsSound) {
      ++R.Lost.BadRecords;
      continue;
    }
    if (Raw.count == 0 && Raw.open == 0 && Raw.ended_again == 0)
      continue;
    RangeSum Next;
    Next.Name = std::move(Name);
    Next.Count = Raw.count;
    Next.Ns = Ticks.toNs(Raw.sum_ticks);
    if (Raw.count != 0) {
      Next.MinNs = Ticks.toNs(Raw.min_ticks);
      Next.MaxNs = Ticks.toNs(Raw.max_ticks);
    }
    Next.Open = Raw.open;
    Next.OpenNs = Ticks.toNs(openTicks(Raw, RunTicks));
    Next.EndedAgain = Raw.ended_again;
    Places[Record.Index] = addRange(R.Ranges, std::move(Next));
  }
  if (Spans)
    readSpans(Records, Ticks, RunTicks, Places, R);
}
