// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps many ranks of a run small. Most of a rank's call paths are plain phases
// inside steps, which are the same in all ranks and matter as sums only: of
// those, the first rank that has a path keeps the sum over all ranks, and the
// others keep what ranks are compared by.
//
//   rank 0   train > step > batch > load     4 s   +----> load    4096 s
//   rank 1   train > step > batch > load     5 s --+
//                                 > MPI_Allreduce  stays where it is
//
// Plain phases are those of which nothing but times is known: they have no key,
// no device work, no hook of a function and no wait in them, are finished, and
// no other record of the run refers to them. What depends on other call paths
// of their process is judged before they go (Run::HostTimes).

#ifndef LOOPSCOPE_ANALYSIS_RANKS_FOLDEDRANKS_H
#define LOOPSCOPE_ANALYSIS_RANKS_FOLDEDRANKS_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace loopscope {

/// \p From, a run that was just read, without the plain phases in its steps.
/// Its ranks and their communication can be compared as before.
Run withoutPlainPhases(Run From);

/// Folds the plain phases of runs. Merged, the runs have the same sums by call
/// path as without.
class RankFolder {
public:
  /// Adds \p Next to \p Runs, to which nothing else is added. The first one
  /// stays whole.
  void add(Run Next, std::vector<Run> &Runs);

private:
  /// A call path of all runs: the path of its parent, its site (None: a root),
  /// and what else tells nodes apart.
  using PathKey = std::tuple<uint32_t, uint32_t, uint32_t>;
  struct PathHash {
    size_t operator()(const PathKey &Of) const;
  };
  /// The node of a plain phase that has the sum.
  struct Holder {
    uint32_t Run = None, Node = None;
  };

  uint32_t siteOf(const Site &Of);
  std::vector<uint32_t> sitesOf(const std::vector<Site> &Of,
                                const std::vector<Site> &First);
  uint32_t pathOf(const PathKey &Key);
  std::vector<uint32_t> pathsOf(const Run &R,
                                const std::vector<uint32_t> &Sites);

  std::unordered_map<std::string, uint32_t> Sites;
  std::vector<uint32_t> OfFirst; ///< of the first run's sites
  std::unordered_map<PathKey, uint32_t, PathHash> Paths;
  std::vector<Holder> Holders; ///< by path
};

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKS_FOLDEDRANKS_H
