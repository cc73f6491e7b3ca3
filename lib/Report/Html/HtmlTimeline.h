// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The HTML page's timeline. A profile's is empty without LOOPSCOPE=trace.

#ifndef LOOPSCOPE_REPORT_HTML_HTMLTIMELINE_H
#define LOOPSCOPE_REPORT_HTML_HTMLTIMELINE_H

#include "Analysis/Steps/StepBars.h"
#include "Analysis/Steps/TraceSteps.h"
#include "Report/Html/HtmlPage.h"
#include "Report/Html/HtmlParts.h"

namespace loopscope {

/// The last spans of every thread, and those of the slowest of \p Steps. The
/// starts of \p Steps become positions on the timeline: negative if they aren't
/// on it.
HtmlTimeline htmlTimeline(const Run &P, const HtmlPaths &Paths,
                          StepBars &Steps);

/// The last steps of a trace: host threads above GPU streams. STEPS as above.
HtmlTimeline htmlTimeline(const Run &P, const HtmlPaths &Paths,
                          const StepAnalysis &Analysis, StepBars &Steps);

/// Whether only the newest part of \p P's timeline was read.
bool isCut(const Run &P);

/// Moves \p Steps to a timeline that starts at \p Base; steps that begin before
/// \p From and outside \p Windows aren't on it.
void placeSteps(int64_t Base, int64_t From,
                const std::vector<std::pair<int64_t, int64_t>> &Windows,
                StepBars &Steps);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_HTML_HTMLTIMELINE_H
