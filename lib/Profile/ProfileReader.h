// Reads a Loopscope profile, finished, running or killed, into the model.
#ifndef LOOPSCOPE_PROFILE_PROFILEREADER_H
#define LOOPSCOPE_PROFILE_PROFILEREADER_H

#include "Profile/Model.h"
#include "Profile/Result.h"

#include <cstddef>
#include <span>
#include <string>

namespace loopscope {

/// Whether to read the events of LOOPSCOPE=trace too; they may be large.
enum class WithTimeline { No, Yes };

/// Reads the profile at PATH. A file that isn't one, or is of another major
/// version, is an error; what is damaged inside is left out and counted in
/// Profile::Lost.
Result<Profile> readProfile(const std::string &Path,
                            WithTimeline Events = WithTimeline::No);

/// The same from memory, aligned to 8 bytes. NAME stands for the path.
Result<Profile> readProfile(std::span<const std::byte> Bytes,
                            const std::string &Name,
                            WithTimeline Events = WithTimeline::No);

} // namespace loopscope

#endif // LOOPSCOPE_PROFILE_PROFILEREADER_H
