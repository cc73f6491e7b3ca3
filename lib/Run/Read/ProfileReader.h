// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a Loopscope profile, finished, running or killed, into the model.

#ifndef LOOPSCOPE_RUN_READ_PROFILEREADER_H
#define LOOPSCOPE_RUN_READ_PROFILEREADER_H

#include "Run/Model/Run.h"
#include "Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace loopscope {

class OpenFile;

/// Reads the profile at \p Path, which may be inside a merged file. A file that
/// isn't a profile, or has another major version, is an error; damaged parts
/// are left out and counted in Run::Lost.
Result<Run> readProfile(const std::string &Path,
                        WithTimeline Events = WithTimeline::No);

/// The same from memory, aligned to 8 bytes. \p Name stands for the path. If
/// the bytes are those of a \p File, spans may stay in it.
Result<Run> readProfile(std::span<const std::byte> Bytes,
                        const std::string &Name,
                        WithTimeline Events = WithTimeline::No,
                        std::shared_ptr<const OpenFile> File = {});

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_PROFILEREADER_H
