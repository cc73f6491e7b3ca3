// `loopscope diff`: what changed between two runs.
#ifndef LOOPSCOPE_REPORT_DIFFCOMMAND_H
#define LOOPSCOPE_REPORT_DIFFCOMMAND_H

#include "Profile/Model.h"
#include "Report/View.h"

#include <optional>
#include <string>

namespace loopscope {

/// A parsed command line of `loopscope diff`.
struct DiffRequest {
  std::string Before;
  std::string After;
  Format Output = Format::Text;
  std::string OutputFile;
  /// Exit with 1 when an action got slower by more than this, in percent, and
  /// the change is significant.
  std::optional<double> FailOver;
};

/// One table per stage: mean before and after, the change, and whether it is
/// more than chance. Sorted by what changed the total most.
Section buildDiff(const Profile &Before, const Profile &After);

/// The largest significant slow-down of a mean in DIFF, in percent; 0 without.
double worstSlowdown(const Section &Diff);

/// Prints the comparison. Returns the exit code.
int runDiff(const DiffRequest &Request);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_DIFFCOMMAND_H
