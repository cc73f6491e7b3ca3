// Reads a Loopscope profile, finished, running or killed, into the model.
#ifndef LOOPSCOPE_PROFILE_PROFILEREADER_H
#define LOOPSCOPE_PROFILE_PROFILEREADER_H

#include "Profile/Run.h"
#include "Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace loopscope {

/// How much of what LOOPSCOPE=trace recorded to read too; it may be large.
struct WithTimeline {
  /// At least the last so many steps of all threads together, and what ran
  /// meanwhile; SIZE_MAX: everything.
  size_t Steps = 0;
  /// Also phases and functions that run inside others of them.
  bool Nested = true;

  static const WithTimeline No;
  static const WithTimeline Yes;
  /// Everything but what is nested.
  static const WithTimeline Outermost;
  static constexpr WithTimeline lastSteps(size_t Steps) {
    return {Steps, true};
  }
  bool operator==(const WithTimeline &) const = default;
};
inline constexpr WithTimeline WithTimeline::No{0, true};
inline constexpr WithTimeline WithTimeline::Yes{SIZE_MAX, true};
inline constexpr WithTimeline WithTimeline::Outermost{SIZE_MAX, false};

/// Reads the profile at PATH. A file that isn't one, or is of another major
/// version, is an error; what is damaged inside is left out and counted in
/// Run::Lost.
Result<Run> readProfile(const std::string &Path,
                        WithTimeline Events = WithTimeline::No);

/// The same from memory, aligned to 8 bytes. NAME stands for the path.
Result<Run> readProfile(std::span<const std::byte> Bytes,
                        const std::string &Name,
                        WithTimeline Events = WithTimeline::No);

} // namespace loopscope

#endif // LOOPSCOPE_PROFILE_PROFILEREADER_H
