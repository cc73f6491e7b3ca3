// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Amounts of call paths (Run/Model/Amounts.h) and their rates; floating-point
// operations also as a share of what the devices could do (MFU).

#ifndef LOOPSCOPE_ANALYSIS_TREE_AMOUNTS_H
#define LOOPSCOPE_ANALYSIS_TREE_AMOUNTS_H

#include "Run/Model/Run.h"

#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// An amount that one call path or several give.
struct AmountSum {
  double Sum = 0;
  int64_t Ns = 0;       ///< of the spans that give it, on the host
  bool IsGiven = false; ///< some span gave it
  bool IsWhole = true;  ///< every span and step of those that give it did

  void add(const AmountSum &Other);
};

struct AmountSums : PerAmount<AmountSum> {
  void add(const AmountSums &Other);
};

/// By node, including everything below it: what the node gives or, if it gives
/// nothing, the sum of what the outermost nodes below it give. A batch has what
/// its step gives.
std::vector<AmountSums> amountsByNode(const Run &R);

/// The amounts that any node of the run gives.
std::vector<SpanAmount> amountsOf(const Run &R);

/// The amounts given while the innermost stage is one of \p Kind, on all
/// threads, for \p Ns. \p StageOf: the kind of each node's innermost stage.
AmountSums amountsInStage(const Run &R,
                          const std::vector<loopscope_kind> &StageOf,
                          loopscope_kind Kind, int64_t Ns);

/// What floating-point operations are compared with.
struct FlopsPeak {
  double FlopsPerSecond = 0; ///< of a device, or of a process; 0: not known
  double Devices = 1;        ///< of a process, that did work
  std::string Source; ///< where the figure comes from, or why there is none
};
FlopsPeak flopsPeak(const Run &R);

/// \p Of per second of its time or, if longer, of \p BusyNs, for which all
/// devices together were busy with it: \p Devices of a process. Empty if it
/// isn't complete.
std::optional<double> perSecond(const AmountSum &Of, int64_t BusyNs,
                                double Devices);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_TREE_AMOUNTS_H
