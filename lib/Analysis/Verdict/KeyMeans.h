// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mean times of a phase's keys, and how far they can be trusted. Private to
// the notes on keys.

#ifndef LOOPSCOPE_ANALYSIS_VERDICT_KEYMEANS_H
#define LOOPSCOPE_ANALYSIS_VERDICT_KEYMEANS_H

#include "Analysis/Tree/KeyFamilies.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// One key, outside the warm-up.
struct KeyMean {
  uint32_t Key = None; ///< in Run::Keys
  uint64_t Count = 0;  ///< of spans, not 0
  double MeanNs = 0;   ///< of a span
  /// How much of the mean may be chance. On the host, KeyErrors standard
  /// errors. On devices, whose times have no deviation: the longest piece of
  /// each kind of work, which one span may have brought, and what isn't known
  /// of overlaps.
  double DoubtNs = 0;
};

/// A phase's keys in their order.
struct KeyMeans {
  bool IsGpu = false; ///< devices' time of what the spans launched
  std::vector<KeyMean> Keys;

  /// Over all spans, nanoseconds.
  double totalNs() const;
};

/// How long a run's keys took, a span at a time.
class KeyClock {
public:
  explicit KeyClock(const Run &R);

  /// The figures behind it.
  const GpuByNode &gpu() const { return Gpu; }

  /// The keys of \p Of, which was made with gpu(): on devices if its spans
  /// launched work there, on the host if they called nothing of a device.
  /// Without keys if they did call it and no work is known, or some is missing,
  /// and of a trace with devices, because the host's time says little then.
  KeyMeans meansOf(const KeyFamily &Of) const;

private:
  KeyMean gpuMean(const KeySums &Of) const;

  GpuByNode Gpu;
  bool IsKnown = true;
  /// By node: the longest piece of each kind of its work, all below included.
  std::vector<int64_t> LongestNs;
};

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_VERDICT_KEYMEANS_H
