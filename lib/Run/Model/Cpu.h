// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernel reports about a thread while spans ran on it: its time on the
// processor, page faults and switches. The figures cover measured spans, whose
// time is given with them; spans that are too short aren't measured.

#ifndef LOOPSCOPE_RUN_MODEL_CPU_H
#define LOOPSCOPE_RUN_MODEL_CPU_H

#include <algorithm>
#include <cstdint>

namespace loopscope {

/// Sums over measured spans, children included.
struct CpuSums {
  int64_t MeasuredNs = 0; ///< wall time of the measured spans
  int64_t CpuNs = 0;      ///< of it, on the processor
  uint64_t MinorFaults = 0;
  uint64_t MajorFaults = 0;
  uint64_t VoluntarySwitches = 0;   ///< the thread waited for something
  uint64_t InvoluntarySwitches = 0; ///< another thread got the processor
  int64_t StarvedOfNs = 0; ///< wall time of the spans that StarvedNs is of
  int64_t StarvedNs = 0;   ///< ready to run, without a processor
  /// Processor time of the process's other threads in the spans of StarvedOfNs;
  /// of several threads at the same time, the sum.
  int64_t OthersNs = 0;
  /// Not of spans: a part of the node's HookNs, in which other threads ran.
  int64_t InterruptedNs = 0;

  /// The part of the measured time that the thread didn't spend on the
  /// processor.
  int64_t offCpuNs() const { return std::max<int64_t>(0, MeasuredNs - CpuNs); }

  /// Whether the sums represent spans of \p TotalNs nanoseconds, because most
  /// of them were measured.
  bool standFor(int64_t TotalNs) const {
    return MeasuredNs > 0 && MeasuredNs >= TotalNs / 2;
  }
  bool hasStarved() const {
    return StarvedOfNs > 0 && StarvedOfNs >= MeasuredNs / 2;
  }

  void add(const CpuSums &Other);
  /// The mean over this many runs, whose sums this is.
  CpuSums dividedBy(uint64_t Runs) const;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_CPU_H
