// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Perf events that sample another process: one on each CPU, each with a ring of
// memory that the kernel fills. An event that threads inherit has its ring on
// one CPU only.
//
// Samples come at equal distances of a thread's CPU time. What is copied of the
// stack lies in the ring until it is read.

#ifndef LOOPSCOPE_SAMPLE_PERFEVENTS_H
#define LOOPSCOPE_SAMPLE_PERFEVENTS_H

#include "Sample/PerfRecords.h"
#include "Support/Result.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// The events of one process and its threads. Its children have none, where the
/// kernel can tell (Linux 5.13).
class PerfEvents {
public:
  /// Events of \p Pid, a child that hasn't executed its program yet; they begin
  /// with it. The error is a reason, "the kernel refuses perf events (...)".
  static Result<PerfEvents> open(int Pid, uint64_t PeriodNs);

  PerfEvents(PerfEvents &&From) noexcept;
  PerfEvents &operator=(PerfEvents &&) = delete;
  ~PerfEvents();

  /// Whether there are samples of time in the kernel.
  bool hasKernel() const { return HasKernel; }

  /// Of the process and of its threads so far, ended ones too.
  struct Sums {
    uint64_t CpuNs = 0;
    uint64_t Lost = 0; ///< records that found no room; 0 before Linux 6.0
  };
  Sums sums() const;

  /// Returns when there is something to read, \p Wake can be read, or
  /// \p Milliseconds have passed.
  void wait(int Wake, int Milliseconds);

  /// Passes all records on to \p Visitor.
  void read(PerfVisitor &Visitor);

  /// There is nothing more to read.
  void stop();

private:
  struct Ring {
    int Event = -1;
    char *Memory = nullptr; ///< a page of the kernel's, then the data
    uint64_t Bytes = 0;     ///< of the data, a power of two
    uint64_t Head = 0;      ///< how far this read() goes
    bool HasEnded = false;  ///< all threads are gone
  };
  PerfEvents() = default;
  bool mapRing(Ring &Into);
  void visit(const Ring &Of, bool Samples, PerfVisitor &Visitor);

  std::vector<Ring> Rings;
  std::vector<char> Joined; ///< a record that lay across a ring's end
  bool HasKernel = true;
};

} // namespace loopscope

#endif // LOOPSCOPE_SAMPLE_PERFEVENTS_H
