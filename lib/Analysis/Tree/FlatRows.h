// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Call paths summed up by name: what the flat tables show.

#ifndef LOOPSCOPE_ANALYSIS_TREE_FLATROWS_H
#define LOOPSCOPE_ANALYSIS_TREE_FLATROWS_H

#include "Analysis/Tree/GpuSums.h"
#include "Run/Model/Run.h"
#include "Run/Model/Stages.h"

#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// All spans of one name in one stage.
struct FlatRow {
  std::string Name;
  uint64_t Calls = 0;      ///< finished spans, nested ones of the name included
  uint64_t EndedEarly = 0; ///< of Calls: not by their own end
  int64_t TotalNs = 0;     ///< outermost spans of the name only
  int64_t FinishedNs = 0;  ///< finished spans, nested ones included
  int64_t SelfNs = 0;      ///< with that of nodes that are no row themselves
  int64_t WaitingNs = 0;   ///< of TotalNs; the rest is own time
  int64_t UselessNs = 0;   ///< of TotalNs; the rest is useful
  Moments Spans;
  bool Recursive = false;      ///< a span of the name ran inside another
  CpuSums Cpu;                 ///< as TotalNs
  int64_t CountedNs = 0;       ///< TotalNs less steps outside the window
  GpuSums Gpu;                 ///< as TotalNs, with all below
  std::vector<uint32_t> Nodes; ///< of the run, that it sums up
};

/// The rows of one stage.
struct FlatRows {
  std::vector<FlatRow> Rows; ///< by total time, descending
  /// Time of the stage that is in no row, own cost included.
  int64_t UnaccountedNs = 0;
  GpuSums Gpu;            ///< of the whole stage
  GpuSums UnaccountedGpu; ///< launched in the stage, in no row
  /// Threads that the rows sum over.
  uint64_t Threads = 0;
  /// Those of the threads on which the stage itself didn't run: their time
  /// isn't in UnaccountedNs.
  uint64_t OtherThreads = 0;
  /// The number of trees of the stage's own threads, and of main threads among
  /// them.
  unsigned OwnTrees = 0;
  unsigned OwnMainTrees = 0;
};

/// The row of a node in the tables of stage \p S, or none. \p Enclosing is the
/// name of the innermost row around it, or empty.
std::optional<std::string> flatName(const Run &R, const Stages &All,
                                    const Stage &S, uint32_t Index,
                                    const std::string &Enclosing);

/// Sums up the nodes of stage \p S. \p Gpu is the profile's.
FlatRows flatten(const Run &R, const GpuByNode &Gpu, const Stages &All,
                 const Stage &S);

/// The same, for views without GPU figures.
FlatRows flatten(const Run &R, const Stages &All, const Stage &S);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_TREE_FLATROWS_H
