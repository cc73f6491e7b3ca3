// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The HTML page's charts over time. A profile's are empty without a timeline
// (LOOPSCOPE=trace).

#ifndef LOOPSCOPE_REPORT_HTML_HTMLTIMELINE_H
#define LOOPSCOPE_REPORT_HTML_HTMLTIMELINE_H

#include "Analysis/TraceSteps.h"
#include "Report/Html/HtmlPage.h"

namespace loopscope {

/// The last training steps of the training thread, each split into draw, the
/// phases of its batch and the rest; the last bar is their average.
HtmlStack htmlStack(const Run &P);

/// The last spans of every thread.
HtmlTimeline htmlTimeline(const Run &P);

/// The last steps of a trace: host threads above GPU streams.
HtmlTimeline htmlTimeline(const EventStream &Trace,
                          const StepAnalysis &Analysis);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_HTML_HTMLTIMELINE_H
