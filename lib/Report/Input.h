// The one place that tells input files apart: from a path to its section of the
// report, by what the file is.
#ifndef LOOPSCOPE_REPORT_INPUT_H
#define LOOPSCOPE_REPORT_INPUT_H

#include "Profile/KinetoTrace.h"
#include "Profile/Model.h"
#include "Profile/ProfileReader.h"
#include "Report/TraceFigures.h"
#include "Report/View.h"
#include "Support/Result.h"

#include <optional>
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

/// Reads the file at PATH, or standard input where PATH is "-", as far as
/// OPTIONS want it: one thread, MaxInflated. Profiles and Kineto traces
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

/// Several inputs as one run, times summed; in the ranks view, side by side.
/// Takes them one after the other and keeps of each what the view needs.
class Merger {
public:
  Merger(View Which, const ViewOptions &Options)
      : Which(Which), Options(Options) {}

  /// Adds an input. An error says why it can't take part; it is left out then.
  std::optional<Error> add(Input From);

  bool isEmpty() const { return Profiles.empty() && Traces.empty(); }

  /// The section of all of them, which are not none.
  Result<Section> finish();

private:
  View Which;
  const ViewOptions &Options;
  std::vector<Profile> Profiles; ///< and traces as profiles
  std::vector<TraceFigures> Traces;
};

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_INPUT_H
