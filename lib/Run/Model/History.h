// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run's history: its time in bins, and in each what grew in it. Part of the
// model (Run.h), filled by readHistory, or from a timeline's spans.
//
// The bins have no gap, and cover the run. In a lane they add up to the tree:
// its call paths' InclusiveNs, and a loop's finished steps and samples.

#ifndef LOOPSCOPE_RUN_MODEL_HISTORY_H
#define LOOPSCOPE_RUN_MODEL_HISTORY_H

#include <loopscope/profile_format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

struct Run;

/// Samples of a metric in a bin, in the metric's unit.
struct HistoryGauge {
  uint64_t Samples = 0; ///< 0: there are no values
  double Mean = 0;
  double Max = 0;
};

struct HistoryBin {
  int64_t FromNs = 0; ///< since the run's start
  int64_t ToNs = 0;
  /// By loopscope_history_gauge_kind.
  std::array<HistoryGauge, LOOPSCOPE_HISTORY_GAUGE_COUNT> Gauges{};
};

/// The steps of a loop that ended in a bin.
struct HistorySteps {
  uint64_t Steps = 0;
  uint64_t Samples = 0;
  double LongestNs = 0; ///< with the histogram's error; 0: not known
  /// By duration, see HistoryLane::EdgesNs.
  std::array<uint64_t, LOOPSCOPE_HISTORY_BUCKETS> Buckets{};
};

/// Call paths with the same key (history_lanes.h).
struct HistoryLane {
  loopscope_kind Kind = LOOPSCOPE_KIND_PHASE;
  uint32_t Site = LOOPSCOPE_NONE; ///< NONE: waits inside phases of the loop
  uint32_t Loop = LOOPSCOPE_NONE; ///< its site; NONE outside loops
  std::vector<uint32_t> Nodes;
  std::vector<int64_t> Ns; ///< by bin

  // Of a STEP, else empty.
  std::vector<HistorySteps> Steps; ///< by bin
  /// Bucket I is from EdgesNs[I] to EdgesNs[I + 1]; the last one has no end.
  /// Empty if durations aren't known.
  std::vector<double> EdgesNs;
};

/// Of one process.
struct RunHistory {
  std::string Process; ///< in a merged profile: "rank 3"; else empty
  std::vector<HistoryBin> Bins;
  std::vector<HistoryLane> Lanes;
};

/// The metric's name (loopscope_metric) of a loopscope_history_gauge_kind.
const char *historyMetric(size_t Gauge);

/// The lanes that the tree of \p R has, without bins, in order of first visits.
std::vector<HistoryLane> lanesOf(const Run &R);

/// HistoryLane::EdgesNs for loopscope_history_steps::lowest_pair.
std::vector<double> historyEdges(uint32_t LowestPair, double NsPerTick);

/// The most bins of a history that wasn't recorded as one.
inline constexpr size_t MadeBins = 256;

/// Builds the tree of \p To, a trace, with the nodes of its events, makes its
/// numbers keys if \p NumbersAreKeys (NumberedNames.h), and fills
/// Run::Histories from its spans. Profiles have all of that.
void addTreeAndHistory(Run &To, bool NumbersAreKeys);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_HISTORY_H
