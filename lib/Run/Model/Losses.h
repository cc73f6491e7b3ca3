// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run lost, had to repair or left open, as data: one table that readers,
// merging, footers, json and the page loop over. A runtime counter is one line
// of enum loopscope_counter and one of the table.

#ifndef LOOPSCOPE_RUN_MODEL_LOSSES_H
#define LOOPSCOPE_RUN_MODEL_LOSSES_H

#include <loopscope/profile_format.h>

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope {

/// All zero and empty if nothing is missing from a run.
struct Integrity {
  /// By enum loopscope_counter, as the runtime counted.
  std::array<uint64_t, LOOPSCOPE_COUNT_MAX> Counters{};

  uint64_t OpenSpans = 0;
  /// Nodes whose statistics were being written when the profile was read.
  uint64_t TornNodes = 0;
  /// GPU records that were being written when the profile was read.
  uint64_t TornGpu = 0;
  /// Records that contradict themselves or the file, and were left out.
  uint64_t BadRecords = 0;
  /// Bytes that the header promises but the file lacks; in a torn trace, those
  /// after the last complete event.
  uint64_t BytesMissing = 0;
  uint64_t BadEvents = 0;         ///< not JSON, or without time or name
  uint64_t NegativeDurations = 0; ///< read as zero
  uint64_t OverlappingEvents = 0; ///< that don't nest, left out
  uint64_t ClippedFrames = 0;     ///< of Python, that didn't nest, cut
  /// Runs in which the kernel refused to report a thread's processor time, its
  /// faults and switches, or its time on the run queue.
  uint64_t NoCpuClock = 0;
  uint64_t NoCpuFaults = 0;
  uint64_t NoRunQueue = 0;
  /// Operators that may end on another thread, and those beyond the limit of
  /// names.
  uint64_t OperatorsLeftOut = 0;
  uint64_t OperatorsUnnamed = 0;
  uint64_t OperatorsOtherInputs = 0; ///< beyond the limit of inputs kept apart
  uint64_t OperatorsUnlinked = 0; ///< backward ones without their forward one
  /// Phases beyond those that experiments try, and the first block without
  /// room.
  uint64_t WhatifUntried = 0;
  uint64_t WhatifBlocksLost = 0;
  /// Instances that were overwritten by newer ones, and those without a record.
  uint64_t CollectivesOverwritten = 0;
  uint64_t CollectivesLost = 0;
  uint64_t PeersLost = 0;
  uint64_t RequestsLost = 0;
  uint64_t MpiUnseen = 0;
  /// NCCL operations without a record, and those without bytes.
  uint64_t NcclLost = 0;
  uint64_t NcclUnsized = 0;
  /// Stack samples without room, threads beyond those that are sampled, runs in
  /// which the kernel refused a thread's timer or the program took the signal,
  /// and runs under valgrind.
  uint64_t StacksLost = 0;
  uint64_t StacksThreads = 0;
  uint64_t StacksRefused = 0;
  uint64_t StacksSignal = 0;
  uint64_t StacksProfiler = 0;
  uint64_t StacksValgrind = 0;
  /// Functions whose hooks were switched off during the run.
  uint64_t FunctionsOff = 0;
  uint64_t WorkBad = 0; ///< of flops(), no number of operations
  uint64_t BadUtf8 = 0; ///< windows of the file in which bytes were replaced

  bool Anonymous = false;
  bool TscDistrusted = false;
  /// The clock went back: by it, the run ends before it starts or before its
  /// phases do. The run is then taken to be as long as its phases.
  bool ClockWentBack = false;
  bool Torn = false;                     ///< a trace's file ends before it does
  std::string DamagedInput;              ///< what the decompressor said
  std::vector<std::string> MissingFiles; ///< built without their hooks
  /// Functions built without a hook because an earlier run shows them to be
  /// small: names by place ("FILE:LINE:COLUMN").
  std::map<std::string, std::string> SmallFunctions;
};

/// Which footer reports a loss.
enum class LossOf { Run, Gpu, Trace };

/// One kind of loss.
struct LossKind {
  LossOf Of;
  const char *Key; ///< in json: "spans_lost"
  /// What is counted, in the singular, and what happened to it. Null if the
  /// footer has its own words.
  const char *Noun;
  const char *What;
  /// Where it is counted: in the runtime, or in the reader.
  int Counter = -1; ///< enum loopscope_counter; -1: the reader
  uint64_t Integrity::*Field = nullptr;
  /// Its key among a profile's named counters, which fill Field; null if it has
  /// none.
  const char *Named = nullptr;

  uint64_t count(const Integrity &In) const {
    return Field ? In.*Field : In.Counters[static_cast<size_t>(Counter)];
  }
};

/// Every kind, in the order in which reports list them.
std::span<const LossKind> lossKinds();

/// Adds \p Value, a profile's named counter \p Key, to \p Lost. Ignores keys
/// that aren't losses.
void addNamedLoss(std::string_view Key, uint64_t Value, Integrity &Lost);

/// Adds what FROM lost to TO.
void addLosses(const Integrity &From, Integrity &To);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_LOSSES_H
