// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a node's histogram.

#ifndef LOOPSCOPE_RUN_READ_HISTOGRAMREADER_H
#define LOOPSCOPE_RUN_READ_HISTOGRAMREADER_H

#include "Run/Model/Moments.h"
#include "Run/Read/Clock.h"
#include "Run/Read/ProfileBytes.h"

#include <vector>

namespace loopscope {

/// The distribution of the spans of \p Record, which has some, in nanoseconds.
std::vector<Bucket> readHistogram(const NodeRecord &Record, const Clock &Ticks);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_HISTOGRAMREADER_H
