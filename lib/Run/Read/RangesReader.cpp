// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every number of a record.

#include "Run/Read/RangesReader.h"

using namespace loopscope;

namespace {
// How long the open ranges have lasted in total; 0 if the record can't be
// right. A range may have begun after the run's last sign of life.
uint64_t openTicks(const loopscope_range &R, uint64_t RunTicks) {
  uint64_t Whole = 0;
  bool TooLong = __builtin_mul_overflow(uint64_t{R.open}, RunTicks, &Whole);
  return TooLong || Whole < R.open_start_ticks ? 0 : Whole - R.open_start_ticks;
}
} // namespace

std::vector<RangeSum> loopscope::readRanges(ProfileBytes &Records,
                                            const Clock &Ticks,
                                            uint64_t RunTicks,
                                            Integrity &Lost) {
  std::vector<RangeSum> Result;
  for (const auto &Record : Records.ranges()) {
    const loopscope_range &R = Record.Value;
    Lost.TornNodes += Record.Torn;
    std::string Name = Records.text(R.name);
    bool IsSound = R.count == 0 ||
                   (R.min_ticks <= R.max_ticks && R.max_ticks <= R.sum_ticks);
    if (Name.empty() || !IsSound) {
      ++Lost.BadRecords;
      continue;
    }
    if (R.count == 0 && R.open == 0)
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
    Result.push_back(std::move(Next));
  }
  return Result;
}
