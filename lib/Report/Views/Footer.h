// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lines below the tables: the profiler's own cost, and what the run lost.

#ifndef LOOPSCOPE_REPORT_VIEWS_FOOTER_H
#define LOOPSCOPE_REPORT_VIEWS_FOOTER_H

#include "Report/Views/View.h"
#include "Run/Model/Run.h"

#include <string>
#include <vector>

namespace loopscope {

/// Fills in \p S's file, label, facts, footer and integrity from the run. What
/// a trace lost is in \p About: of its figures, if it has some, else \p Of.
void describeRun(const Run &Of, const RunInfo &About, Section &S);

/// The same from \p About, facts of a trace or of several merged ones.
void describeTrace(const RunInfo &About, Section &S);

/// Adds every loss of kind \p Of to the integrity of \p S, and those that
/// aren't zero to its footer.
void describeLosses(const Integrity &Lost, LossOf Of, Section &S);

/// The first few of \p Names, and how many more there are: "a, b, 3 more".
std::string someOf(std::vector<std::string> Names);

/// Which names of a trace became keys (NumberedNames.h); "" if none did. Its
/// keys must still be apart from its sites.
std::string numberedNamesLine(const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_FOOTER_H
