// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Driven by one table of keys and fields.

#include "Run/Read/CpuReader.h"

#include <limits>

using namespace loopscope;

namespace {
// How many spans each of a node's times covers, as far as it was written.
struct SpanCounts {
  uint64_t Measured = 0;
  uint64_t Cpu = 0;
  uint64_t StarvedOf = 0;
  uint64_t Starved = 0;
};

// Exactly one of the two fields is set; times have a count of spans.
struct CpuKey {
  const char *Key;
  loopscope_sum_unit Unit;
  int64_t CpuSums::*Time;
  uint64_t CpuSums::*Number;
  uint64_t SpanCounts::*Spans;
};
constexpr CpuKey Keys[] = {
    {LOOPSCOPE_SUM_CPU_WALL, LOOPSCOPE_SUM_TICKS, &CpuSums::MeasuredNs, nullptr,
     &SpanCounts::Measured},
    {LOOPSCOPE_SUM_CPU_TIME, LOOPSCOPE_SUM_NS, &CpuSums::CpuNs, nullptr,
     &SpanCounts::Cpu},
    {LOOPSCOPE_SUM_CPU_MINOR_FAULTS, LOOPSCOPE_SUM_NUMBER, nullptr,
     &CpuSums::MinorFaults, nullptr},
    {LOOPSCOPE_SUM_CPU_MAJOR_FAULTS, LOOPSCOPE_SUM_NUMBER, nullptr,
     &CpuSums::MajorFaults, nullptr},
    {LOOPSCOPE_SUM_CPU_VOLUNTARY, LOOPSCOPE_SUM_NUMBER, nullptr,
     &CpuSums::VoluntarySwitches, nullptr},
    {LOOPSCOPE_SUM_CPU_INVOLUNTARY, LOOPSCOPE_SUM_NUMBER, nullptr,
     &CpuSums::InvoluntarySwitches, nullptr},
    {LOOPSCOPE_SUM_CPU_STARVED_WALL, LOOPSCOPE_SUM_TICKS, &CpuSums::StarvedOfNs,
     nullptr, &SpanCounts::StarvedOf},
    {LOOPSCOPE_SUM_CPU_STARVED, LOOPSCOPE_SUM_NS, &CpuSums::StarvedNs, nullptr,
     &SpanCounts::Starved},
    {LOOPSCOPE_SUM_CPU_OTHERS, LOOPSCOPE_SUM_NS, &CpuSums::OthersNs, nullptr,
     nullptr},
    {LOOPSCOPE_SUM_CPU_INTERRUPTED, LOOPSCOPE_SUM_TICKS,
     &CpuSums::InterruptedNs, nullptr, nullptr}};

// A hostile sum may be anything.
int64_t nsOf(const NodeSum &Sum, const Clock &Ticks) {
  if (Sum.Unit == LOOPSCOPE_SUM_TICKS)
    return Ticks.toNs(Sum.Sum);
  return static_cast<int64_t>(std::min<uint64_t>(
      Sum.Sum, static_cast<uint64_t>(std::numeric_limits<int64_t>::max())));
}

// Whether WHOLE_NS, the wall time of so many spans, and a part of them that is
// written later cover the same spans. A last span of LAST_NS whose part is
// missing is subtracted.
bool mend(int64_t &WholeNs, uint64_t Spans, uint64_t SpansOfPart,
          int64_t LastNs, Integrity &Lost) {
  if (Spans == SpansOfPart)
    return true;
  if (Spans - SpansOfPart != 1) {
    ++Lost.BadRecords;
    return false;
  }
  ++Lost.TornNodes;
  WholeNs = std::max<int64_t>(0, WholeNs - LastNs);
  return true;
}

void mendNode(CpuSums &Sums, const SpanCounts &Spans, int64_t LastNs,
              Integrity &Lost) {
  if (!mend(Sums.MeasuredNs, Spans.Measured, Spans.Cpu, LastNs, Lost))
    Sums = {};
  else if (!mend(Sums.StarvedOfNs, Spans.StarvedOf, Spans.Starved, LastNs,
                 Lost))
    Sums.StarvedOfNs = Sums.StarvedNs = Sums.OthersNs = 0;
  // Reading the clock adds some tens of nanoseconds to each span, more than an
  // empty one has.
  Sums.CpuNs = std::min(Sums.CpuNs, Sums.MeasuredNs);
}
} // namespace

void loopscope::readCpu(const NamedSums &Sums,
                        const std::vector<uint64_t> &LastTicks,
                        const Clock &Ticks, Run &Result) {
  std::vector<SpanCounts> Spans(Result.Nodes.size());
  for (const NodeSum &Each : Sums.Nodes)
    for (const CpuKey &Key : Keys) {
      if (Each.Key != Key.Key || Each.Unit != Key.Unit)
        continue;
      CpuSums &To = Result.Nodes[Each.Node].Cpu;
      if (Key.Time)
        To.*Key.Time = nsOf(Each, Ticks);
      else
        To.*Key.Number = Each.Sum;
      if (Key.Spans)
        Spans[Each.Node].*Key.Spans = Each.Count;
    }
  for (size_t I = 0; I < Spans.size(); ++I)
    mendNode(Result.Nodes[I].Cpu, Spans[I], Ticks.toNs(LastTicks[I]),
             Result.Lost);
}
