// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples a program from its parent process, for programs before which the
// runtime can't be loaded (static ones).
//
//   PerfEvents.h      the kernel's samples: registers and a copy of the stack
//   PerfRecords.h     what it writes, as plain values
//   LoadedCode.h      mappings -> files (ElfImage.h) -> rules of frames
//   CopiedStack.h     a sample -> calls, by the runtime's unwinder
//   SampledProfile.h  a usual profile, by the runtime's writer
//
// The program's children aren't sampled, nor is a program that replaces it.

#ifndef LOOPSCOPE_SAMPLE_PROGRAMSAMPLER_H
#define LOOPSCOPE_SAMPLE_PROGRAMSAMPLER_H

#include "Support/Result.h"

#include <cstdint>
#include <memory>
#include <string>

namespace loopscope {

/// What is sampled, and what LOOPSCOPE= says about it.
struct SamplerOptions {
  std::string Command; ///< with its arguments
  std::string Given;   ///< LOOPSCOPE=
  std::string Output;  ///< output=
  bool IsPrivate = false;
  uint32_t Hz = 0; ///< samples per second of a thread's CPU time
};

/// Samples in the background, from the program's start to finish().
class ProgramSampler {
public:
  /// For the child \p Pid, which executes its program after this. The error is
  /// a reason, as in "it can't be sampled, because ...".
  static Result<ProgramSampler> start(int Pid, const SamplerOptions &Options);

  ProgramSampler(ProgramSampler &&) noexcept;
  ~ProgramSampler();

  /// When the program has ended: completes its profile, if it used enough CPU
  /// time for one, and ends.
  void finish();

private:
  class Worker;
  explicit ProgramSampler(std::unique_ptr<Worker> Of);
  std::unique_ptr<Worker> Of;
};

} // namespace loopscope

#endif // LOOPSCOPE_SAMPLE_PROGRAMSAMPLER_H
