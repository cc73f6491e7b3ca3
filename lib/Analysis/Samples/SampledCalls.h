// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples of stacks as trees of calls, one for each kind of thread: functions
// by their names, inlined ones too, each apart by the place that calls it.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_SAMPLEDCALLS_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_SAMPLEDCALLS_H

#include "Analysis/Samples/CodeFiles.h"
#include "Run/Model/Run.h"

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace loopscope {

/// A function on the stack, and where it was.
struct CalledFrame {
  std::string Function; ///< never empty
  std::string Library;
  std::string File; ///< where it is defined
  uint32_t FirstLine = 0;
  std::string LineFile;
  uint32_t Line = 0; ///< 0: not known
  CodeAddress At;    ///< of the call
  bool IsInlined = false;
  bool IsVirtual = false;
  bool IsSystem = true; ///< of a library or a header that comes with the system
};

/// A place that calls: by its line or, if that isn't known, by its address.
struct CallSite {
  std::string File;
  uint32_t Line;
  uint64_t Address;
  auto operator<=>(const CallSite &) const = default;
};

/// A function as it was called from one place.
struct Called {
  CalledFrame Of;
  uint64_t Count = 0;
  uint64_t Own = 0;                      ///< samples in it, in no callee
  std::map<uint32_t, uint64_t> OwnLines; ///< of them
  std::map<std::string, uint64_t> Innermost;
  std::map<std::pair<CallSite, std::string>, std::unique_ptr<Called>> Calls;
  /// The instructions that called it; empty: it is inlined, at least once.
  std::set<CodeAddress> Instructions;
  bool IsInlined = false;
  bool IsThread = false; ///< the place starts a thread with it
};

/// Samples of threads that began alike.
struct ThreadGroup {
  std::string Name; ///< "main", or the function in which they start
  Called Root;
  bool Serves = false;   ///< others, which started it for a while
  std::set<int64_t> Ids; ///< the kernel's numbers of its threads
};

/// A call of a function that isn't the project's in a line that is.
struct OutsideCall {
  std::string File; ///< of the line
  uint32_t Line = 0;
  std::string Function; ///< that is called
  auto operator<=>(const OutsideCall &) const = default;
};

/// Samples of the program's code in what a folder of headers defines or calls.
struct HeaderSamples {
  uint64_t Count = 0;
  /// Those by the project's innermost call around the folder's code.
  std::map<OutsideCall, uint64_t> From;
};

/// All samples of a run.
struct SampledCalls {
  std::vector<ThreadGroup> Groups; ///< by name
  /// Samples by the innermost function and its library.
  std::map<std::pair<std::string, std::string>, uint64_t> Innermost;
  uint64_t Samples = 0;
  uint64_t Whole = 0;    ///< that reach the function that nobody called
  uint64_t Guessed = 0;  ///< whose stacks may lack frames
  uint64_t Threads = 0;  ///< that have samples
  bool HasLines = false; ///< some of the program's code has lines
  /// By folder of the system's headers, /usr/include/dlib. The standard
  /// library's isn't here.
  std::map<std::string, HeaderSamples> Headers;
  CodeFiles Lost;
};

SampledCalls sampledCalls(const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_SAMPLEDCALLS_H
