// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads PyTorch (Kineto) traces: `*.pt.trace.json`, plain or gzip, of every
// schema version, whole or torn.

#ifndef LOOPSCOPE_RUN_KINETO_KINETOREADER_H
#define LOOPSCOPE_RUN_KINETO_KINETOREADER_H

#include "Run/Model/Run.h"
#include "Support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace loopscope {

/// Limits on what an input may cost.
struct TraceLimits {
  /// The most bytes that gzip data may inflate to.
  uint64_t MaxInflated = uint64_t{4} << 30;
};

/// Reads the trace at \p Path; "-" is standard input. A damaged trace is read
/// as far as it is intact, and Run::Lost says what was lost; an error means
/// that nothing could be read.
Result<Run> readKinetoTrace(const std::string &Path, const TraceLimits &Limits);

/// The same for bytes in memory, plain or gzip.
Result<Run> readKinetoBytes(std::string_view Bytes, const TraceLimits &Limits);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_KINETO_KINETOREADER_H
