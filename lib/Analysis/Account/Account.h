// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a run's time went, split once: parts that don't overlap and that add up
// to the whole, to the nanosecond. Whoever says how long a loop's steps took,
// how fast it was, or what part of the run it is, reads it here.
//
//   whole = outside the loops + each loop
//   loop  = warm-up + draw + phases + rest + excluded steps + between steps
//           + profiler
//
// The whole is the time of the threads that run loops, or of the main threads
// if none does: a loop in a worker thread has the same figures as one in main,
// and other threads' spans are in no step.

#ifndef LOOPSCOPE_ANALYSIS_ACCOUNT_ACCOUNT_H
#define LOOPSCOPE_ANALYSIS_ACCOUNT_ACCOUNT_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace loopscope {

/// What the time of a part was.
enum class AccountUse : uint8_t {
  Draw,     ///< waiting for data
  Phase,    ///< in a phase: a loop's outermost ones, elsewhere the innermost
  Rest,     ///< in no phase
  Warmup,   ///< in steps of the warm-up
  Excluded, ///< in steps outside the window or in pauses
  Between,  ///< in a loop, in none of its steps
  Profiler, ///< the hooks' own cost, estimated
};

/// Its key in csv and json: "no_phase".
const char *keyOf(AccountUse Use);

/// One part.
struct AccountPart {
  AccountUse Use = AccountUse::Rest;
  std::string Name;     ///< "forward"; of a part without a phase, its word
  uint32_t Site = None; ///< of a phase
  int64_t Ns = 0;
  std::vector<uint32_t> Nodes; ///< whose own time it is
};

/// A loop at one place of the source, on whatever threads and processes.
struct LoopAccount {
  uint32_t Site = None;
  bool IsTraining = true;
  /// Runs inside a step of another loop, whose parts don't have its time.
  bool IsNested = false;
  uint64_t Threads = 0; ///< that ran it at the same time
  std::string Sharers;  ///< sharersOf() these; empty if there is one
  uint64_t Executions = 0;
  int64_t Ns = 0; ///< the sum of Parts
  std::vector<AccountPart> Parts;

  // Finished steps, without those of the warm-up if there are others.
  uint64_t Steps = 0;
  uint64_t WarmupSteps = 0; ///< left out
  uint64_t Samples = 0;
  std::vector<uint32_t> StepNodes; ///< of these
  int64_t StepNs = 0;              ///< without nested loops
  int64_t NestedNs = 0;
  Moments Spans; ///< with nested loops
  CpuSums Cpu;   ///< the same

  /// Steps with which the executions began, among Steps, and their time.
  uint64_t FirstSteps = 0;
  int64_t FirstNs = 0, FirstDrawNs = 0;

  /// Of all threads together; 0 if it isn't known. See samplesPerSecond().
  double samplesPerSecond() const;
  double meanStepNs() const;

  /// "train", "valid", "valid (nested)".
  std::string name() const;
};

/// \p Samples in \p Ns, the sum over \p Threads that work at the same time:
/// their mean rate, times their number. 0 if it isn't known.
double samplesPerSecond(uint64_t Samples, int64_t Ns, uint64_t Threads);

/// "4 threads"; of several processes "8 threads of 2 processes", or "2
/// processes" with a thread each.
std::string sharersOf(const Run &R, const std::set<uint32_t> &Threads);

/// A run's time.
struct Account {
  uint64_t Threads = 0; ///< whose time it is
  std::string Sharers;  ///< sharersOf() these; empty if there is one
  int64_t WholeNs = 0;
  int64_t OutsideNs = 0; ///< outside all loops, the sum of Outside
  std::vector<AccountPart> Outside;
  std::vector<LoopAccount> Loops; ///< the longest first, training before others
};

/// The account of \p R, from the sums of its call paths. Parts are in order of
/// time, but those without a phase come last.
Account accountOf(const Run &R);

/// Whose time \p Of is, if it is that of several threads, in a sentence; else
/// empty.
std::string threadsNote(const Account &Of);

/// How long the run took, in a title: "12.3 s"; for several threads "12.3 s of
/// 4 processes", which is their sum.
std::string wholeText(const Account &Of);

/// The part of a run that is outside its loops, if that is most of it, in a
/// sentence with the phases that take the longest: "87.2% of the run is
/// outside its loops: 58.1% in build index (b.cpp:6)." Else empty.
std::string outsideNote(const Run &R, const Account &Of);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_ACCOUNT_ACCOUNT_H
