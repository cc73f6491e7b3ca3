// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profile of a program that its parent samples, written as the runtime in a
// program writes its own: the file is the memory, so that no kill loses what
// was recorded.

#ifndef LOOPSCOPE_SAMPLE_SAMPLEDPROFILE_H
#define LOOPSCOPE_SAMPLE_SAMPLEDPROFILE_H

#include "Sample/LoadedCode.h"

#include "stacks/walk.h"

#include <loopscope/profile_format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// What a profile says about its process.
struct SampledProcess {
  int Pid = 0;
  std::string Command; ///< with its arguments
  std::string Options; ///< LOOPSCOPE= as given
  std::string Output;  ///< of them; empty: the default name
  bool IsPrivate = false;
  uint32_t Hz = 0;       ///< samples per second of CPU time, as requested
  uint64_t PeriodNs = 0; ///< of CPU time, between two samples of a thread
  bool HasKernel = true; ///< there are samples of time in the kernel
};

/// What was sampled: in memory until begin(), then in the file. One in this
/// process, because the runtime's state is.
class SampledProfile {
public:
  explicit SampledProfile(SampledProcess Of);

  /// Once the process has executed \p File, its program.
  void setProgram(const std::string &File);

  /// Makes the file. False: there is no memory.
  bool begin();
  bool hasBegun() const { return HasBegun; }

  /// Code that was mapped.
  void add(const CodeSegment &Code);
  /// A sample in what is mapped now, of the thread with the kernel's number
  /// \p Tid.
  void add(int Tid, const runtime::WalkedStack &Stack);

  /// Sums up to now: the process's CPU time, and samples that were lost.
  void update(uint64_t CpuNs, uint64_t Lost);
  /// At the process's end: saves what isn't in the file.
  void finish();

private:
  struct Code {
    CodeSegment Segment;
    uint32_t From = 0;
    uint32_t Until = LOOPSCOPE_NONE;
    loopscope_code *Written = nullptr;
  };
  struct Sample {
    uint32_t Thread = 0;
    uint32_t Flags = 0;
    uint32_t Loading = 0;
    std::vector<uint64_t> Frames;
  };

  void describe(loopscope_profile_header &Into) const;
  void write(Code &Of);
  static void write(const Sample &Of);

  SampledProcess Process;
  std::string Program, Directory;
  bool HasBegun = false;
  uint32_t Loading = 0;
  loopscope_chunk_header *Last = nullptr; ///< of code
  std::vector<Code> Codes;
  std::vector<Sample> Early; ///< until begin()
  uint64_t CountedCpuNs = 0, CountedLost = 0;
};

} // namespace loopscope

#endif // LOOPSCOPE_SAMPLE_SAMPLEDPROFILE_H
