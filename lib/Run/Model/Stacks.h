// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples of where threads used their processor time (LOOPSCOPE=stacks). Plain
// values, checked. Part of the model (Run.h), filled by readStacks.

#ifndef LOOPSCOPE_RUN_MODEL_STACKS_H
#define LOOPSCOPE_RUN_MODEL_STACKS_H

#include <loopscope/profile_format.h>

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// A loaded file that contains code.
struct CodeObject {
  std::string Path;    ///< as the loader had it
  std::string BuildId; ///< hexadecimal; empty: it had none
  /// Where it was loaded, the last time: a process's address less the file's.
  uint64_t Bias = 0;
};

/// An address in code.
struct CodeAddress {
  uint32_t Object = LOOPSCOPE_NONE; ///< NONE: in no file (compiled at run time)
  uint64_t Address = 0;             ///< as the object's file counts
  auto operator<=>(const CodeAddress &) const = default;
};

/// Samples with the same call path, thread and stack.
struct StackSample {
  uint32_t Node = LOOPSCOPE_NONE;   ///< innermost
  uint32_t Thread = LOOPSCOPE_NONE; ///< NONE: a thread without a tree
  uint32_t ThreadId = 0;  ///< of a thread without a tree; 0: not known
  bool IsForeign = false; ///< had no span: Node stands in for it
  bool IsCut = false;     ///< calls are left out: no room
  bool IsWhole = false;   ///< it reaches the function that nobody called
  bool IsGuessed = false; ///< found by a search: frames may be missing
  uint64_t Count = 0;
  /// Innermost first: the instruction that ran, then the calls, each by an
  /// address inside the call. Callers may be missing anywhere.
  std::vector<CodeAddress> Frames;
};

/// A call in the source whose returns were counted exactly for a part of the
/// run, in a program without hooks.
struct CallCount {
  /// Of its instructions, each by an address inside the call.
  std::vector<CodeAddress> Sites;
  uint64_t Count = 0;
  int64_t Ns = 0;          ///< that were counted
  bool EndedEarly = false; ///< there were too many to count all
};

struct StackData {
  uint64_t CpuNs = 0; ///< of the process meanwhile, on all its threads
  bool WithoutKernel =
      false; ///< time that some threads spent in the kernel has none
  /// Samples at the kernel's ticks, with which a loop may run in step; the
  /// others were taken at random times.
  uint64_t AtTicks = 0;
  uint64_t TickNs = 0; ///< between two ticks; 0: not known
  /// If all samples were taken at equal distances, from outside the process:
  /// CPU time between two of a thread; else 0.
  uint64_t EveryNs = 0;
  std::vector<CodeObject> Objects;
  std::vector<StackSample> Samples;
  std::vector<CallCount> Calls;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_STACKS_H
