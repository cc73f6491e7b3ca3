// What the operators, kernels and overview views show of PyTorch traces: of
// one, or of several as one run. All arithmetic of these views ends here;
// tables and documents only read it.
#ifndef LOOPSCOPE_REPORT_TRACEFIGURES_H
#define LOOPSCOPE_REPORT_TRACEFIGURES_H

#include "Profile/KinetoSteps.h"
#include "Profile/KinetoTrace.h"
#include "Report/Kernels.h"
#include "Report/Operators.h"

#include <cstdint>
#include <vector>

namespace loopscope {

/// The figures of a run. Much smaller than the traces that they are of.
struct TraceFigures {
  TraceInfo About;
  uint64_t Files = 1;       ///< traces that these are sums of
  uint64_t Events = 0;      ///< read
  uint64_t Overlapping = 0; ///< left out, see HostCalls
  std::vector<OperatorRow> Operators;
  int64_t UnownedDeviceTime = 0; ///< ns, launched by no operator
  std::vector<KernelRow> Kernels;
  StepAnalysis Steps;
};

/// The figures of \p Trace, which has events. With \p ByPhase, kernels are
/// apart by the phase that launched them.
TraceFigures figuresOf(const KinetoTrace &Trace, bool ByPhase);

/// The figures of several traces, of at least one: operators and kernels of
/// the same name are one row, the steps of all stand one after the other, and
/// the devices of every trace stay apart, since two ranks may call different
/// ones "0".
TraceFigures mergeFigures(std::vector<TraceFigures> All);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_TRACEFIGURES_H
