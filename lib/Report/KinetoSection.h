// From a PyTorch trace to one section of a report.
#ifndef LOOPSCOPE_REPORT_KINETOSECTION_H
#define LOOPSCOPE_REPORT_KINETOSECTION_H

#include "Profile/KinetoTrace.h"
#include "Profile/Result.h"
#include "Report/View.h"

namespace loopscope {

/// The section of view \p Which of one trace, or why the trace can't give it.
Result<Section> buildSection(const KinetoTrace &Trace, View Which,
                             const ViewOptions &Options);

/// True for the views that are of traces' operators and device work, and that
/// a trace therefore doesn't share with a profile of the host alone.
bool isTraceView(View Which);

/// Fills \p Out's file, label, facts, footer and integrity from \p Trace, of
/// which \p Overlapping events could not be nested (HostCalls::Overlapping).
void describeTrace(const KinetoTrace &Trace, uint64_t Overlapping,
                   Section &Out);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_KINETOSECTION_H
