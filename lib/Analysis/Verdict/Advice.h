// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What to do about a run: rules, each with its threshold and its evidence.

#ifndef LOOPSCOPE_ANALYSIS_VERDICT_ADVICE_H
#define LOOPSCOPE_ANALYSIS_VERDICT_ADVICE_H

#include "Analysis/Verdict/Figures.h"
#include "Analysis/Verdict/Verdict.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// One finding: the figure that it rests on, and what to do.
struct Advice {
  std::string Rule; ///< stable key: "data_loading"
  double Figure;    ///< what was measured
  const char *Unit; ///< of the figure: "%" or "s"
  std::string Text; ///< one sentence with the figure and the remedy
  /// The most of the run's time that the remedy could save; negative if it
  /// isn't known.
  int64_t SavesNs = -1;
  /// The rows of other tables that it rests on: "draw, train.cpp:3".
  std::string Rows;
  std::vector<PhasePlace> Places; ///< the same, if the rows are phases
  bool OfOperators = false;       ///< the rows are operators

  /// The text, what it could save, and the rows.
  std::string line() const;
};

/// All rules that apply: those that could save most come first, then those
/// whose savings aren't known, in the order of the documentation. Remedies use
/// the words of the framework that the run used.
std::vector<Advice> advise(const Figures &Of);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_VERDICT_ADVICE_H
