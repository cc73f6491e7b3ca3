// The overview of a PyTorch trace: where its steps' time went, how busy the
// GPUs were, and what to do about it.
#ifndef LOOPSCOPE_REPORT_OVERVIEW_H
#define LOOPSCOPE_REPORT_OVERVIEW_H

#include "Profile/KinetoSteps.h"
#include "Profile/KinetoTrace.h"
#include "Report/Kernels.h"
#include "Report/Operators.h"
#include "Report/Table.h"

#include <string>
#include <vector>

namespace loopscope {

/// One finding: the figure that it rests on, and what to do.
struct Advice {
  std::string Rule; ///< stable key: "data_loading"
  double Figure;    ///< what was measured
  const char *Unit; ///< of the figure: "%" or "s"
  std::string Text; ///< one sentence with the figure and the remedy
};

/// Whose words a remedy is said in.
enum class Framework { PyTorch, None };

/// All rules that apply, in the order of the documentation. Of \p Trace, only
/// what it knows of devices and their memory is read.
std::vector<Advice> advise(const TraceInfo &Trace, const StepAnalysis &Analysis,
                           const std::vector<OperatorRow> &Operators,
                           const std::vector<KernelRow> &Kernels, Framework Of);

/// What bounds the run, with the evidence, in one line.
std::string verdict(const StepAnalysis &Analysis);

/// The view's tables: steps by role with the average, GPUs, recommendations.
/// \p Verdict stands above them.
std::vector<Table> buildOverview(const TraceInfo &Trace,
                                 const StepAnalysis &Analysis,
                                 const std::string &Verdict,
                                 const std::vector<Advice> &Findings);

/// The parts of buildOverview: steps with their average and GPUs; GPUs alone;
/// recommendations.
std::vector<Table> stepTables(const TraceInfo &Trace,
                              const StepAnalysis &Analysis,
                              const std::string &Verdict);
Table gpuTable(const TraceInfo &Trace, const StepAnalysis &Analysis);
Table adviceTable(const std::vector<Advice> &Findings);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_OVERVIEW_H
