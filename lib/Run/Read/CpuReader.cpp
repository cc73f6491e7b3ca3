// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One table of keys and fields.

#include "Run/Read/CpuReader.h"

#include <limits>

using namespace loopscope;

namespace {
// Exactly one of the two fields is set.
struct CpuKey {
  const char *Key;
  loopscope_sum_unit Unit;
  int64_t CpuSums::*Time;
  uint64_t CpuSums::*Number;
};
constexpr CpuKey Keys[] = {
    {LOOPSCOPE_SUM_CPU_WALL, LOOPSCOPE_SUM_TICKS, &CpuSums::MeasuredNs,
     nullptr},
    {LOOPSCOPE_SUM_CPU_TIME, LOOPSCOPE_SUM_NS, &CpuSums::CpuNs, nullptr},
    {LOOPSCOPE_SUM_CPU_MINOR_FAULTS, LOOPSCOPE_SUM_NUMBER, nullptr,
     &CpuSums::MinorFaults},
    {LOOPSCOPE_SUM_CPU_MAJOR_FAULTS, LOOPSCOPE_SUM_NUMBER, nullptr,
     &CpuSums::MajorFaults},
    {LOOPSCOPE_SUM_CPU_VOLUNTARY, LOOPSCOPE_SUM_NUMBER, nullptr,
     &CpuSums::VoluntarySwitches},
    {LOOPSCOPE_SUM_CPU_INVOLUNTARY, LOOPSCOPE_SUM_NUMBER, nullptr,
     &CpuSums::InvoluntarySwitches},
    {LOOPSCOPE_SUM_CPU_STARVED_WALL, LOOPSCOPE_SUM_TICKS, &CpuSums::StarvedOfNs,
     nullptr},
    {LOOPSCOPE_SUM_CPU_STARVED, LOOPSCOPE_SUM_NS, &CpuSums::StarvedNs,
     nullptr}};

struct RefusedKey {
  const char *Key;
  uint64_t Integrity::*Field;
};
constexpr RefusedKey Refused[] = {
    {LOOPSCOPE_COUNT_NO_CPU_CLOCK, &Integrity::NoCpuClock},
    {LOOPSCOPE_COUNT_NO_CPU_FAULTS, &Integrity::NoCpuFaults},
    {LOOPSCOPE_COUNT_NO_RUN_QUEUE, &Integrity::NoRunQueue}};

// A hostile sum may be anything.
int64_t nsOf(const NodeSum &Sum, const Clock &Ticks) {
  if (Sum.Unit == LOOPSCOPE_SUM_TICKS)
    return Ticks.toNs(Sum.Sum);
  return static_cast<int64_t>(std::min<uint64_t>(
      Sum.Sum, static_cast<uint64_t>(std::numeric_limits<int64_t>::max())));
}
} // namespace

void loopscope::readCpu(const NamedSums &Sums, const Clock &Ticks,
                        Run &Result) {
  for (const NodeSum &Each : Sums.Nodes)
    for (const CpuKey &Key : Keys) {
      if (Each.Key != Key.Key || Each.Unit != Key.Unit)
        continue;
      CpuSums &To = Result.Nodes[Each.Node].Cpu;
      if (Key.Time)
        To.*Key.Time = nsOf(Each, Ticks);
      else
        To.*Key.Number = Each.Sum;
    }
  for (const NamedCounter &Each : Sums.Counters)
    for (const RefusedKey &Key : Refused)
      if (Each.Key == Key.Key)
        Result.Lost.*Key.Field += Each.Value;
}
