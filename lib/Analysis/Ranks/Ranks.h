// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ranks of a run did with their time: who was late, why, and what it
// cost the others.
//
//   runs -> matchCollectives -> instances, each with all ranks' waits
//        -> ranksOf          -> per stage: a row per rank, straggler,
//        efficiency
//
// A rank's step time is own + wait + transfer (own time: UsefulTime.h). Of a
// collective, the wait is what passed until the last rank came, transfer is the
// rest. Where the ranks have one clock, the last that came is the one that
// entered last; elsewhere it is the one that was in the collective for the
// shortest time, which is then the transfer of all. Only collectives that no
// rank leaves before the last has come can be split so, and only instances that
// every rank still has on record.
//
// Who is late follows from the own time of single steps (LateRanks.h). Older
// profiles, traces and ranks that meet on devices don't have it: there it
// follows from who came last (Stragglers.h).

#ifndef LOOPSCOPE_ANALYSIS_RANKS_RANKS_H
#define LOOPSCOPE_ANALYSIS_RANKS_RANKS_H

#include "Run/Model/Run.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// A rank's time in the steps of one stage.
struct RankRow {
  std::string Process; ///< "rank 3"
  std::string Host;
  int64_t Rank = -1;
  uint64_t Steps = 0;
  int64_t ElapsedNs = 0; ///< of all steps, sum over threads that have some
  int64_t OwnNs = 0;
  int64_t CollectiveNs = 0; ///< in collectives
  int64_t OtherWaitNs = 0;  ///< in marked waits, and for a device
  int64_t MessageNs = 0;    ///< of OtherWaitNs, in calls of MPI
  /// The split of CollectiveNs, in the proportion of the compared instances, if
  /// IsSplit.
  int64_t CollectiveWaitNs = 0;
  int64_t TransferNs = 0;
  bool IsSplit = false;
  double Covered = 0;       ///< part of its instances that were compared
  uint64_t LastCount = 0;   ///< steps in which it came last
  int64_t LateNs = 0;       ///< by how much, in all of them together
  std::string CulpritPhase; ///< that made it late; empty: not known
  std::string CulpritFile;  ///< of the phase, without directories
  uint32_t CulpritLine = 0;
  double CulpritPart = 0; ///< of being late that the phase explains

  int64_t waitNs() const {
    return saturatingAdd(OtherWaitNs, CollectiveWaitNs);
  }
};

enum class StragglerKind {
  Unknown, ///< there is too little data; StageRanks::Notes says what is missing
  None,    ///< the ranks arrive together
  Persistent, ///< one rank is late most of the time
  Rotating    ///< now this one, now that one
};

/// A phase that makes a rank late.
struct LatePhase {
  std::string Name, File; ///< empty: no single one
  uint32_t Line = 0;
  double Explained = 0; ///< of being late, 0 to 1
};

/// Single steps in which a rank took much longer than usual, and at least half
/// of the ranks that have them on record didn't.
struct LongSteps {
  size_t Row = 0;
  uint64_t Count = 0;
  uint64_t First = 0; ///< number of the first one
  int64_t Ns = 0;     ///< longer, in all of them
  /// Whether records show that at least half of all ranks didn't, in each.
  bool HalfDidNot = true;
  LatePhase Reason;
};

struct Straggler {
  StragglerKind Kind = StragglerKind::Unknown;
  size_t Row = 0;          ///< Persistent: of the late rank
  double LastPart = 0;     ///< of the steps, in which it came last
  double LostPart = 0;     ///< of the step time, that the others waited
  std::string Phase, File; ///< why; empty: not known
  uint32_t Line = 0;
  double Explained = 0; ///< of the lateness, 0 to 1
  /// If the ranks meet on devices and no single phase is the reason: the part
  /// explained by everything that the late rank's device computes, because each
  /// phase takes it longer; else 0.
  double WholeDevice = 0;

  /// From the own time of single steps (LateRanks.h). Then the fields from
  /// LastPart on that aren't named here are unset; LostPart is an upper bound.
  bool IsFromOwnTime = false;
  std::vector<size_t> Rows; ///< Persistent: the late ranks; Row is the latest
  int64_t LongerNs = 0;     ///< what the latest takes longer, per step
  /// Rotating: the steps in which Row takes longest, and all that were
  /// compared; 0 unless it does so far more often than chance would have it.
  uint64_t LongestIn = 0;
  uint64_t LongestOf = 0;
  LatePhase Reason;
  std::vector<LongSteps> Once; ///< whatever Kind is
};

/// The own part of the ranks' time, and what the rest is lost to; each from
/// 0 to 1. docs/report.md has the formulas.
struct RankEfficiency {
  bool IsKnown = false; ///< the first five
  double Parallel = 0;
  double LoadBalance = 0;
  double Within = 0;  ///< load balance within hosts
  double Between = 0; ///< and between them
  double Communication = 0;
  bool IsSplit = false; ///< the other two
  double Transfer = 0;
  double Serialisation = 0;
};

/// The ranks in one stage.
struct StageRanks {
  std::string Id, Title;
  std::vector<RankRow> Rows; ///< in the order of the runs
  uint64_t StepsCompared = 0;
  bool HasOneClock = false;
  bool OnDevices = false; ///< where the ranks wait for each other
  /// Of PyTorch's traces, the tree has no waits, so own time isn't known.
  bool KnowsOwn = true;
  Straggler Late;
  RankEfficiency Efficiency;
  std::vector<std::string>
      Notes; ///< why something isn't known, a sentence each

  bool hasCollectives() const {
    return std::ranges::any_of(
        Rows, [](const RankRow &Each) { return Each.CollectiveNs != 0; });
  }
};

/// The stages of \p All, the ranks of one run, that have steps. \p Missing:
/// some of the run's ranks aren't in \p All.
std::vector<StageRanks> ranksOf(const std::vector<Run> &All, bool Missing);

/// "Verdict: load-imbalanced: ..." or "communication-bound"; empty if neither
/// holds or nothing is known.
RanksVerdict rankVerdict(const StageRanks &Of);

/// One sentence on who is late; empty if nobody is, or that isn't known.
std::string stragglerSentence(const StageRanks &Of);

/// What bounds \p All, the files of a merged run, in the stage of the name, or
/// in the first one that has a verdict: its class and both sentences. Empty
/// also if they aren't the ranks of one run.
RanksVerdict verdictOfRanks(const std::vector<Run> &All,
                            const std::string &Stage);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKS_RANKS_H
