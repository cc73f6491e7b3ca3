// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of a run that began when the program called loopscope_reset, as a
// profile of its own: what the run's profile holds less what the file of the
// part before it holds. All readers then see an ordinary profile, which begins
// at that moment.
//
//   both profiles -> records (SubtractRules), times (SubtractOverTime), sums,
//   the tree (SubtractTree), which keeps what the others refer to -> bytes

#ifndef LOOPSCOPE_RUN_READ_SINCERESET_H
#define LOOPSCOPE_RUN_READ_SINCERESET_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace loopscope {

/// A part of a run.
struct PartBytes {
  std::vector<std::byte> Bytes; ///< a profile, with LOOPSCOPE_FLAG_DIVIDED
  uint64_t SpansAcross = 0;     ///< ended in it, and were open when it began
  uint64_t Approximate = 0; ///< records whose extremes aren't exactly its own
};

/// What \p Profile holds of the time after \p Before, which the same run wrote
/// when that part ended; the headers of both have been checked. The process may
/// be running.
PartBytes sinceReset(std::span<const std::byte> Profile,
                     std::span<const std::byte> Before);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_SINCERESET_H
