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

/// Reads the file at PATH, or a trace from standard input where PATH is "-", as
/// far as OPTIONS want it: one thread, MaxInflated. Profiles and Kineto traces
/// are told apart by their first bytes, never by their name.
Result<Input> readInput(const std::string &Path, const ViewOptions &Options,
                        WithTimeline Events = WithTimeline::No);

/// Whether FROM is of the rank that OPTIONS want.
bool isWanted(const Input &From, const ViewOptions &Options);

/// What to say when no input was of that rank.
std::string noSuchRank(const ViewOptions &Options);

/// View WHICH of FROM, shaped by OPTIONS.
Result<Section> sectionOf(const Input &From, View Which,
                          const ViewOptions &Options);

/// The same of all of ALL, which are not none, as if they were one run, times
/// summed; for the ranks view, side by side. Traces have the views then that
/// they share with profiles.
Result<Section> mergedSection(std::vector<Input> All, View Which,
                              const ViewOptions &Options);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_INPUT_H
