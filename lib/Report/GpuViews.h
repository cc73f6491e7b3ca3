// The kernels, operators and overview views of a Loopscope profile. Their
// tables are the ones that Kineto traces have; what fills them comes from the
// profile's own sums, which hold the whole run, or from its timeline.
#ifndef LOOPSCOPE_REPORT_GPUVIEWS_H
#define LOOPSCOPE_REPORT_GPUVIEWS_H

#include "Profile/Model.h"
#include "Report/Kernels.h"
#include "Report/Operators.h"
#include "Report/Table.h"
#include "Report/View.h"
#include "Support/Result.h"

#include <string>
#include <vector>

namespace loopscope {

/// One row per kernel, or with BY_PHASE per kernel and the phase that launched
/// it; by total time. Kernels of an unknown launch have a phase of that name.
std::vector<KernelRow> addUpKernels(const Profile &P, bool ByPhase);

/// One row per phase and function: host time less children and CUDA calls,
/// device time of what it launched.
std::vector<OperatorRow> addUpOperators(const Profile &P);

/// Kernels, then copies and sets by direction with their bandwidth.
Result<std::vector<Table>> buildGpuKernels(const Profile &P,
                                           const ViewOptions &Options);

/// Phases and functions in PyTorch's columns.
Table buildPhaseOperators(const Profile &P);

/// Verdict, steps by role (trace mode) or totals by what is known exactly, GPU
/// use, recommendations.
std::vector<Table> buildProfileOverview(const Profile &P);

/// The recommendations alone, a sentence each.
std::vector<std::string> recommendations(const Profile &P);

/// The phase that a node is or is in: functions belong to the phase around
/// them. "(launch unknown)" for None, "(no phase)" outside all.
std::string phaseOf(const Profile &P, uint32_t Node);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_GPUVIEWS_H
