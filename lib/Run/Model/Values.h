// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that a program told again and again, over time.

#ifndef LOOPSCOPE_RUN_MODEL_VALUES_H
#define LOOPSCOPE_RUN_MODEL_VALUES_H

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// Numbers in the order in which they were told.
struct ToldNumbers {
  uint64_t Count = 0;     ///< of finite ones, which the others are about
  uint64_t NotFinite = 0; ///< infinities, and what is no number
  double Sum = 0;
  double Min = 0;
  double Max = 0;
  double Last = 0;

  double mean() const { return Sum / static_cast<double>(Count); }
  /// Adds later ones.
  void add(const ToldNumbers &Later) {
    NotFinite += Later.NotFinite;
    if (Later.Count == 0)
      return;
    Min = Count == 0 || Later.Min < Min ? Later.Min : Min;
    Max = Count == 0 || Later.Max > Max ? Later.Max : Max;
    Count += Later.Count;
    Sum += Later.Sum;
    Last = Later.Last;
  }
};

/// All numbers of a name and a process.
struct RunValue {
  struct Bin {
    int64_t FromNs = 0; ///< since the run's start
    int64_t ToNs = 0;
    ToldNumbers Of;
  };
  std::string Name;
  std::string Process;   ///< in a merged profile: "rank 3"; else empty
  std::vector<Bin> Bins; ///< those with numbers, by time
  ToldNumbers All;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_VALUES_H
