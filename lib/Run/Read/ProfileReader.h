// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a Loopscope profile, finished, running or killed, into the model.

#ifndef LOOPSCOPE_RUN_READ_PROFILEREADER_H
#define LOOPSCOPE_RUN_READ_PROFILEREADER_H

#include "Run/Run.h"
#include "Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace loopscope {

/// Reads the profile at PATH, which may be one in a merged file. A file that
/// isn't one, or is of another major version, is an error; what is damaged
/// inside is left out and counted in Run::Lost.
Result<Run> readProfile(const std::string &Path,
                        WithTimeline Events = WithTimeline::No);

/// The same from memory, aligned to 8 bytes. NAME stands for the path.
Result<Run> readProfile(std::span<const std::byte> Bytes,
                        const std::string &Name,
                        WithTimeline Events = WithTimeline::No);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_PROFILEREADER_H
