// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sentences about samples.

#include "Report/Views/SampleNotes.h"

#include "Support/Numbers.h"

#include <fmt/format.h>

using namespace loopscope;

Error loopscope::noSamples(const Run &R, const char *Way) {
  if (R.Stacks.CpuNs == 0)
    return {fmt::format("{}: has no samples of stacks; run the program with {}",
                        R.Path, Way)};
  return {fmt::format(
      "{}: LOOPSCOPE=stacks took no sample of {} of CPU time: it is little, or "
      "of threads that end too soon; a larger N in LOOPSCOPE=stacks=N takes "
      "more",
      R.Path,
      readableDuration(toSeconds(static_cast<int64_t>(R.Stacks.CpuNs))))};
}

std::string loopscope::withoutIntervals(const StackData &Of) {
  if (Of.EveryNs != 0)
    return fmt::format(
        "Without intervals: the samples of a thread were taken at equal "
        "distances, every {} of CPU time. A loop that runs in step with them "
        "has wrong shares.",
        readableDuration(toSeconds(static_cast<int64_t>(Of.EveryNs))));
  std::string Line = fmt::format(
      "Without intervals: {} taken at the kernel's ticks. A loop that runs in "
      "step with them has wrong shares.",
      Of.AtTicks == 1 ? "1 sample was"
                      : fmt::format("{} samples were", Of.AtTicks));
  if (Of.TickNs == 0)
    return Line;
  auto Rate =
      static_cast<uint64_t>(NsPerSecond / static_cast<double>(Of.TickNs));
  return Line +
         fmt::format(" LOOPSCOPE=stacks=N takes them at random times, in "
                     "the program's own code, for N above {} and if the "
                     "kernel allows perf events.",
                     Rate);
}
