// The HTML page's charts over time. Both are empty without a timeline
// (LOOPSCOPE=trace).
#ifndef LOOPSCOPE_REPORT_HTMLTIMELINE_H
#define LOOPSCOPE_REPORT_HTMLTIMELINE_H

#include "Report/HtmlPage.h"

namespace loopscope {

/// The last steps of the training thread, each split into draw, the phases of
/// its batch and the rest; the last bar is their average.
HtmlStack htmlStack(const Profile &P);

/// The last spans of every thread.
HtmlTimeline htmlTimeline(const Profile &P);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_HTMLTIMELINE_H
