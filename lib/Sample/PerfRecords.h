// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernel writes about a process that perf events sample, as plain
// values (linux/perf_event.h).

#ifndef LOOPSCOPE_SAMPLE_PERFRECORDS_H
#define LOOPSCOPE_SAMPLE_PERFRECORDS_H

#include "interrupted.h"

#include <cstddef>
#include <cstdint>
#include <linux/perf_event.h>
#include <string>

namespace loopscope {

/// A thread at one moment.
struct PerfSample {
  int Pid = 0;
  int Tid = 0;
  runtime::Interrupted At;
  /// The stack from the stack pointer on. It has more if IsCut.
  const char *Stack = nullptr;
  size_t StackBytes = 0;
  bool IsCut = false;
};

/// Code that the process maps.
struct PerfMapping {
  int Pid = 0;
  uint64_t Start = 0;
  uint64_t Bytes = 0;
  uint64_t FileOffset = 0;
  std::string Path; ///< or a name in brackets
};

/// Is told of records, in the order of time as far as it matters: code before
/// samples in it.
class PerfVisitor {
public:
  virtual ~PerfVisitor() = default;
  virtual void sampled(const PerfSample &Sample) = 0;
  virtual void mapped(const PerfMapping &Mapping) = 0;
  /// The process has replaced its program.
  virtual void executed(int Pid) = 0;
  /// So many samples found no room.
  virtual void lost(uint64_t Samples) = 0;
};

/// Passes on the record that begins with \p Head, if it is a sample
/// (\p Samples) or anything else (not \p Samples). It was written by an event
/// with the settings of PerfEvents.cpp.
void visitRecord(const perf_event_header *Head, bool Samples,
                 PerfVisitor &Visitor);

} // namespace loopscope

#endif // LOOPSCOPE_SAMPLE_PERFRECORDS_H
