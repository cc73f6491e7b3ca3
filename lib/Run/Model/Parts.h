// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of a run the figures are of, where the program began new profiles
// (loopscope_reset).

#ifndef LOOPSCOPE_RUN_MODEL_PARTS_H
#define LOOPSCOPE_RUN_MODEL_PARTS_H

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

struct RunParts {
  /// From 1; 0: the program never began a new profile.
  uint32_t Number = 0;
  /// Whether the figures are the part's, and not those of the run up to its
  /// end.
  bool IsDivided = false;
  bool AreDifferent = false;        ///< merged processes have different numbers
  int64_t BeganNs = -1;             ///< since the run's start; -1: unknown
  std::vector<std::string> Earlier; ///< files of the parts before, in order
  std::string WhyWhole;             ///< why a later part isn't divided
  /// Spans that ended in this part and were open when it began.
  uint64_t SpansAcross = 0;
  /// Records whose least or greatest value isn't exactly the part's.
  uint64_t Approximate = 0;

  /// Whether these are figures of a later part alone.
  bool isLater() const { return Number > 1 && IsDivided; }

  /// Adds those of another process.
  void merge(const RunParts &Other) {
    AreDifferent |= Other.AreDifferent || Number != Other.Number ||
                    IsDivided != Other.IsDivided;
    Number = std::max(Number, Other.Number);
    if (WhyWhole.empty())
      WhyWhole = Other.WhyWhole;
    BeganNs = std::max(BeganNs, Other.BeganNs);
    Earlier.insert(Earlier.end(), Other.Earlier.begin(), Other.Earlier.end());
    SpansAcross += Other.SpansAcross;
    Approximate += Other.Approximate;
  }
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_PARTS_H
