// The builders of Loopscope profiles' views: pure functions from the model to
// tables. See View.h for how they fit in.
#ifndef LOOPSCOPE_REPORT_VIEWS_H
#define LOOPSCOPE_REPORT_VIEWS_H

#include "Profile/Model.h"
#include "Report/Table.h"
#include "Report/View.h"
#include "Support/Result.h"

#include <vector>

namespace loopscope {

/// Lightning's simple profiler: one table per stage, one row per action.
std::vector<Table> buildSimple(const Profile &P, const ViewOptions &Options);

/// fastxtend's throughput profiler: one table per stage; warm-up steps are left
/// out of the rows of its train and valid parts.
std::vector<Table> buildThroughput(const Profile &P,
                                   const ViewOptions &Options);

/// The call-path tree: one table for the main thread, one for all others.
std::vector<Table> buildTree(const Profile &P, const ViewOptions &Options);

/// cProfile's tables, one per phase, of the functions that function mode has
/// instrumented. Options.Sort is cumulative, self, calls or name.
Result<std::vector<Table>> buildAdvanced(const Profile &P,
                                         const ViewOptions &Options);

/// What the device sampler saw: per stage one table of the host and one of each
/// GPU, one row per action of the simple view.
Result<std::vector<Table>> buildDevices(const Profile &P);

/// The last steps of a run in trace mode as bars, each with what the other
/// threads did meanwhile; Options.Rows is how many (10). For csv and json, a
/// row per piece of all steps.
Result<std::vector<Table>> buildTimeline(const Profile &P,
                                         const ViewOptions &Options);

/// How many steps the timeline view shows; 0: all.
size_t shownSteps(const ViewOptions &Options);

/// Every action's total time over the processes of a distributed run: least,
/// mean, most, and which process is the slowest. At least two profiles.
Result<Section> buildRanks(const std::vector<Profile> &All);

/// One input's section: its view's tables, the run's facts, its footer.
Result<Section> buildSection(const Profile &P, View Which,
                             const ViewOptions &Options);

/// Whether a view has a table per stage; of others, --stage selects what ran in
/// the stage.
bool hasStageTables(View Which);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_H
