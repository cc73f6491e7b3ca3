// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the part of a histogram that has spans.

#include "Run/Read/HistogramReader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

using namespace loopscope;

// Nearly all of a histogram is empty. If the buckets from the shortest span to
// the longest have them all, nothing else of it is read.
std::vector<Bucket> loopscope::readHistogram(const NodeRecord &Record,
                                             const Clock &Ticks) {
  const loopscope_profile_node &N = Record.Node;
  std::array<uint64_t, LOOPSCOPE_HISTOGRAM_BUCKETS> Counts;
  unsigned LastSpan = bucketOf(N.last_ticks);
  // False if spans are missing, but for the last one, whose bucket is written
  // when the next one ends.
  auto Read = [&](unsigned First, unsigned End) {
    if (Record.Histogram)
      std::memcpy(Counts.data() + First,
                  Record.Histogram + sizeof(uint64_t) * First,
                  sizeof(uint64_t) * (End - First));
    else
      std::fill(Counts.begin() + First, Counts.begin() + End, 0);
    uint64_t Seen = 0;
    for (unsigned I = First; I < End; ++I)
      Seen += Counts[I];
    if (Seen < N.count && LastSpan >= First && LastSpan < End) {
      ++Counts[LastSpan];
      ++Seen;
    }
    return Seen == N.count;
  };
  unsigned First = bucketOf(N.min_ticks), End = bucketOf(N.max_ticks) + 1;
  if (First >= End || !Read(First, End)) {
    First = 0;
    End = LOOPSCOPE_HISTOGRAM_BUCKETS;
    Read(First, End);
  }
  return bucketsInNs(std::span(Counts).subspan(First, End - First),
                     Ticks.nsPerTick(), First);
}
