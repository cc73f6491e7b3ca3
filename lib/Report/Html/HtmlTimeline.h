// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The HTML page's timeline. A profile's is empty without LOOPSCOPE=trace.

#ifndef LOOPSCOPE_REPORT_HTML_HTMLTIMELINE_H
#define LOOPSCOPE_REPORT_HTML_HTMLTIMELINE_H

#include "Analysis/Steps/StepBars.h"
#include "Report/Html/HtmlPage.h"
#include "Report/Html/HtmlParts.h"

namespace loopscope {

/// As many of the last spans as a browser can show, host threads above GPU
/// streams, and those of the slowest of \p Steps. If not even the last step has
/// so few, its longest spans. The starts of \p Steps become positions on the
/// timeline: negative if they aren't on it.
HtmlTimeline htmlTimeline(const Run &P, const HtmlPaths &Paths,
                          StepBars &Steps);

/// Whether only the newest part of \p P's timeline was read.
bool isCut(const Run &P);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_HTML_HTMLTIMELINE_H
