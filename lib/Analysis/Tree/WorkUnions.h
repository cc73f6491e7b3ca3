// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long devices ran the work of a row of kernels, copies or sets: unions
// where they are known, and never a sum that may count a moment twice.

#ifndef LOOPSCOPE_ANALYSIS_TREE_WORKUNIONS_H
#define LOOPSCOPE_ANALYSIS_TREE_WORKUNIONS_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <map>
#include <vector>

namespace loopscope {

/// Unions over parts of a profile's device work.
class WorkUnions {
public:
  explicit WorkUnions(const Run &R);

  /// How long any of \p Works, indices into GpuData::Work, ran, summed over
  /// devices. Negative if that isn't known: for a profile of an older version,
  /// or for several call paths that ran at once and aren't all of the work with
  /// that name.
  int64_t of(const std::vector<uint32_t> &Works) const;

private:
  int64_t onDevice(uint32_t Device, const std::vector<uint32_t> &Works) const;
  const std::vector<uint32_t> &overlapsOf(uint32_t Node) const;

  struct Whole {
    int64_t BusyNs;
    size_t Works; // that it is of
  };

  const Run &R;
  std::map<GpuWorkName, Whole> Wholes;
  std::vector<std::vector<uint32_t>> OverlapsOf; // by node; last: none
  std::vector<bool> TellsOverlaps;               // by device
};

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_TREE_WORKUNIONS_H
