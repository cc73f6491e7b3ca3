// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run lost, had to repair or left open, as data: one table that readers,
// merging, footers, json and the page loop over. A counter with a name is a row
// of loopscope/named_losses.h and no more; one of a profile's header is a line
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

// Its values: loopscope/named_losses.h.
enum loopscope_named_loss : unsigned;

namespace loopscope {

/// How much of a trace contradicts the rest of it, of how much.
struct Contradictions {
  uint64_t Launches = 0;
  uint64_t OfLaunches = 0;
  int64_t Ns = 0; ///< of device work
  int64_t OfNs = 0;
  /// What isn't a Python function and has no time, or a negative one.
  uint64_t Events = 0;
  uint64_t OfEvents = 0;
  /// By which calls on the host, but Python functions, were cut to nest.
  int64_t CutNs = 0;

  void add(const Contradictions &Other);
};

/// The names of events that lost most because they can't be true, each with the
/// most that one of them lost.
class LargestCuts {
public:
  struct Cut {
    std::string Name;
    int64_t Ns = 0;
  };

  void add(std::string_view Name, int64_t Ns);
  void add(const LargestCuts &Other);
  /// The largest first, at most three, without those that rounding makes.
  const std::vector<Cut> &list() const { return Kept; }

private:
  std::vector<Cut> Kept;
};

/// All zero and empty if nothing is missing from a run.
struct Integrity {
  /// By enum loopscope_counter, as the runtime counted.
  std::array<uint64_t, LOOPSCOPE_COUNT_MAX> Counters{};
  /// The counters with a name that aren't 0.
  std::map<loopscope_named_loss, uint64_t> Named;
  uint64_t named(loopscope_named_loss Which) const;

  uint64_t OpenSpans = 0;
  /// Nodes whose statistics were being written when the profile was read.
  uint64_t TornNodes = 0;
  /// Spans whose key shares a row with others, for want of rows: of a call path
  /// with a larger keys=, and of a profile.
  uint64_t KeysInRanges = 0;
  uint64_t KeysOverLimit = 0;
  /// GPU records that were being written when the profile was read.
  uint64_t TornGpu = 0;
  /// Records that contradict themselves or the file, and were left out.
  uint64_t BadRecords = 0;
  /// Bytes that the header promises but the file lacks; in a torn trace, those
  /// after the last complete event.
  uint64_t BytesMissing = 0;
  uint64_t BadEvents = 0;           ///< not JSON, or without time or name
  uint64_t NegativeDurations = 0;   ///< read as zero
  uint64_t OverlappingEvents = 0;   ///< that didn't nest, cut
  uint64_t ClippedFrames = 0;       ///< of Python, that didn't nest, cut
  uint64_t EventsWithoutTime = 0;   ///< of a trace, left out
  uint64_t WorkLongerThanTrace = 0; ///< cut or left out, as the next two
  uint64_t WorkBeforeLaunch = 0;
  uint64_t KernelsOverSuccessors = 0;
  uint64_t LaunchesWithoutWork = 0;
  Contradictions Wrong; ///< of a trace, see Kineto/Plausible.h
  LargestCuts HostCuts; ///< of a trace, by calls that overlap
  LargestCuts DeviceCuts;
  /// Events of a trace by category, of categories that nobody knows.
  std::map<std::string, uint64_t> UnknownCategories;
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
  /// Where it is counted, one of three: by the runtime in the header, by the
  /// reader, or by the runtime under a name.
  int Counter = -1; ///< enum loopscope_counter
  uint64_t Integrity::*Field = nullptr;
  int Named = -1; ///< enum loopscope_named_loss

  uint64_t count(const Integrity &In) const;
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
