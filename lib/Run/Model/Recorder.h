// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What recorded a run, and what recorders of that kind know: one row each.
// Readers say which it was (RunInfo::By). All else asks for what it needs, and
// never for the kind of file.

#ifndef LOOPSCOPE_RUN_MODEL_RECORDER_H
#define LOOPSCOPE_RUN_MODEL_RECORDER_H

namespace loopscope {

struct Recorder {
  const char *Noun; ///< what messages call one of its runs
  /// Every figure comes from single events; else there are sums by call path.
  bool KeepsEvents;
  bool RunsPython;   ///< advice names PyTorch's Python interface
  bool TakesWords;   ///< words of LOOPSCOPE= would have recorded more
  bool KnowsProgram; ///< its command line, its process and how that ended
  bool KnowsPlaces;  ///< files and lines of phases
  /// Processor times and samples of devices.
  bool ReadsMachine;
  bool ReadsRanges;      ///< that need not nest
  bool KnowsAllocations; ///< of device memory, by call path
  bool KeepsHistory;     ///< of the whole run
  /// What a rank did itself, apart from waiting for others.
  bool KnowsOwnTime;
  /// Its clock can be aligned with those of other processes.
  bool AlignsClocks;
  bool HasDocuments; ///< those of PyTorch's TensorBoard plugin
};

inline constexpr Recorder OurRuntime = {.Noun = "a Loopscope profile",
                                        .KeepsEvents = false,
                                        .RunsPython = false,
                                        .TakesWords = true,
                                        .KnowsProgram = true,
                                        .KnowsPlaces = true,
                                        .ReadsMachine = true,
                                        .ReadsRanges = true,
                                        .KnowsAllocations = true,
                                        .KeepsHistory = true,
                                        .KnowsOwnTime = true,
                                        .AlignsClocks = true,
                                        .HasDocuments = false};

inline constexpr Recorder PyTorchProfiler = {.Noun = "a PyTorch trace",
                                             .KeepsEvents = true,
                                             .RunsPython = true,
                                             .TakesWords = false,
                                             .KnowsProgram = false,
                                             .KnowsPlaces = false,
                                             .ReadsMachine = false,
                                             .ReadsRanges = false,
                                             .KnowsAllocations = false,
                                             .KeepsHistory = false,
                                             .KnowsOwnTime = false,
                                             .AlignsClocks = false,
                                             .HasDocuments = true};

/// `loopscope export --to chrome`, of a run that our runtime recorded.
inline constexpr Recorder ChromeExporter = [] {
  Recorder Result = PyTorchProfiler;
  Result.RunsPython = false;
  return Result;
}();

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_RECORDER_H
