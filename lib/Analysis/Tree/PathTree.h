// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges the call-path trees of several threads into one, for views that show
// paths.

#ifndef LOOPSCOPE_ANALYSIS_TREE_PATHTREE_H
#define LOOPSCOPE_ANALYSIS_TREE_PATHTREE_H

#include "Analysis/Tree/Amounts.h"
#include "Analysis/Tree/GpuSums.h"
#include "Run/Model/Run.h"
#include "Run/Model/Stages.h"

#include <string>
#include <vector>

namespace loopscope {

/// A call path: nodes with the same site and kind under the same path, summed
/// up. Warm-up steps and other steps share one path here.
struct Path {
  std::string Name;
  loopscope_kind Kind = LOOPSCOPE_KIND_ROOT;
  uint32_t Site = None;
  uint32_t Key = None; ///< in Run::Keys; only where keys are apart
  uint64_t Calls = 0;
  int64_t InclusiveNs = 0;
  int64_t SelfNs = 0;
  int64_t HookNs = 0;
  int64_t ExcludedNs = 0; ///< see Node::ExcludedNs
  int64_t UselessNs = 0;  ///< of InclusiveNs; see UsefulTime.h
  Moments Spans;
  CpuSums Cpu;
  int64_t CountedNs = 0; ///< InclusiveNs less steps outside the window
  AmountSums Amounts;    ///< with all below
  GpuSums Gpu;           ///< with all below; only where it was asked for
  bool Open = false;
  uint64_t EndedEarly = 0;        ///< of Calls: not by their own end
  int Depth = 0;                  ///< -1 for the root
  std::vector<uint32_t> Children; ///< by inclusive time, descending; keys of a
                                  ///< family in their own order
};

/// Whether nodes that differ in their keys alone are one path. Apart: the path
/// of the family, which is their sum, has a child for each key.
enum class Keys { Together, Apart };

/// Paths, parents before children; the first is the root.
using PathTree = std::vector<Path>;

/// Sums up the trees of the threads with these indices, with GPU figures from
/// \p Gpu unless it is null. \p PathOf, unless null, receives the path of each
/// node of \p R, and None for nodes of other threads.
PathTree mergeTrees(const Run &R, const std::vector<uint32_t> &Threads,
                    const GpuByNode *Gpu = nullptr,
                    std::vector<uint32_t> *PathOf = nullptr,
                    Keys Of = Keys::Together);

/// The name of \p Of among the children of \p Parent, both in \p Tree: with its
/// place if another child is called the same.
std::string nameAmong(const Run &R, const PathTree &Tree, const Path &Of,
                      const Path &Parent);

/// A span's name in exports: the phase's name, or "step 12".
std::string spanName(const Run &R, const TimelineSpan &Span);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_TREE_PATHTREE_H
