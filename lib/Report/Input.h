// The one place that tells input files apart: from a path to its section of the
// report, by what the file is.
#ifndef LOOPSCOPE_REPORT_INPUT_H
#define LOOPSCOPE_REPORT_INPUT_H

#include "Profile/KinetoTrace.h"
#include "Profile/Model.h"
#include "Profile/ProfileReader.h"
#include "Profile/Result.h"
#include "Report/View.h"

#include <string>
#include <variant>
#include <vector>

namespace loopscope {

/// PATHS with each directory replaced by the profiles and traces in it, by
/// name.
Result<std::vector<std::string>>
expandInputs(const std::vector<std::string> &Paths);

/// What a file can hold.
using Input = std::variant<Profile, KinetoTrace>;

/// Reads the file at PATH, or a trace from standard input where PATH is "-".
/// Profiles and Kineto traces are told apart by their first bytes, never by
/// their name. MAXINFLATED bounds what a compressed trace may inflate to, in
/// bytes.
Result<Input> readInput(const std::string &Path, uint64_t MaxInflated,
                        WithTimeline Events = WithTimeline::No);

/// The same, and builds view WHICH of it.
Result<Section> readSection(const std::string &Path, View Which,
                            const ViewOptions &Options);

/// The same of all PATHS as if they were one run, times summed; for the ranks
/// view, side by side. Profiles only.
Result<Section> readMergedSection(const std::vector<std::string> &Paths,
                                  View Which, const ViewOptions &Options);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_INPUT_H
