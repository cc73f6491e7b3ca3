// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a profile's device work: kernels, copies, memory, phases and
// functions, from the sums of its call paths, which hold the whole run.

#ifndef LOOPSCOPE_ANALYSIS_DEVICE_GPUROWS_H
#define LOOPSCOPE_ANALYSIS_DEVICE_GPUROWS_H

#include "Analysis/Device/KernelRows.h"
#include "Analysis/Device/OperatorRows.h"
#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// All copies in one direction, or all sets.
struct CopyRow {
  std::string What;  ///< "host to device"; "set"
  std::string Phase; ///< that launched them, in tables by phase
  uint64_t Count = 0;
  int64_t Ns = 0;
  int64_t Busy = -1; ///< how long any of them ran; negative: not known
  uint64_t Bytes = 0;
};

/// Allocations and frees of one kind of memory at one place.
struct MemoryRow {
  std::string Place; ///< "GPU 0"; "host"
  std::string Kind;  ///< "device", "pinned host"
  std::string Phase; ///< that allocated, in tables by phase
  uint64_t Allocations = 0;
  uint64_t Bytes = 0;
  uint64_t Frees = 0;
  uint64_t FreedBytes = 0;
  uint64_t Peak = 0; ///< bytes
  /// Of the row's allocations, bytes that the program held at the peaks of the
  /// devices' own memory; the rows of a device add up to its peak.
  uint64_t HeldAtPeak = 0;
};

/// The memory of a run, and the peaks of its devices in words.
struct MemoryRows {
  std::vector<MemoryRow> Rows; ///< highest peak first
  std::vector<std::string> Peaks;
};

/// One row per kernel or, with \p ByPhase, per kernel and the phase that
/// launched it; by total time. Kernels whose launch is unknown get a phase of
/// that name.
std::vector<KernelRow> addUpKernels(const Run &R, bool ByPhase);

/// Copies and memsets, longest first.
std::vector<CopyRow> addUpCopies(const Run &R, bool ByPhase);

/// Allocations and frees.
MemoryRows addUpMemory(const Run &R, bool ByPhase);

/// One row per LibTorch operator, split by \p By; in a run without any, one per
/// phase and function: host time without children and CUDA calls, and device
/// time of what it launched.
std::vector<OperatorRow> addUpOperators(const Run &R, OperatorsBy By);

/// Device time (ns) that wasn't launched in any row of addUpOperators.
int64_t unownedDeviceTime(const Run &R);

/// The phase that a node is or is in; functions belong to the phase around
/// them. "(launch unknown)" for None, "(no phase)" outside all.
std::string phaseOf(const Run &R, uint32_t Node);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_DEVICE_GPUROWS_H
