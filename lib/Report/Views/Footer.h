// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands below the tables: the profiler's own cost, and what the run lost.

#ifndef LOOPSCOPE_REPORT_VIEWS_FOOTER_H
#define LOOPSCOPE_REPORT_VIEWS_FOOTER_H

#include "Report/Views/View.h"
#include "Run/Run.h"

#include <string>

namespace loopscope {

/// Fills S's file, label, facts, footer and integrity from the run.
void describeRun(const Run &Of, Section &S);

/// The same from what is \p About a trace, or several that were merged.
void describeTrace(const RunInfo &About, Section &S);

/// Adds every loss of kind \p Of to S's integrity, and to its footer those that
/// are not zero.
void describeLosses(const Integrity &Lost, LossOf Of, Section &S);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_FOOTER_H
