// From a PyTorch trace to one section of a report.
#ifndef LOOPSCOPE_REPORT_KINETOSECTION_H
#define LOOPSCOPE_REPORT_KINETOSECTION_H

#include "Profile/KinetoTrace.h"
#include "Report/TraceFigures.h"
#include "Report/View.h"
#include "Support/Result.h"

#include <optional>

namespace loopscope {

/// Why view \p Which, with \p Options, can't be had of a trace.
std::optional<Error> refusal(const KinetoTrace &Trace, View Which,
                             const ViewOptions &Options);

/// The figures of \p Trace that \p Options want: of one stage, kernels by
/// phase.
Result<TraceFigures> wantedFigures(const KinetoTrace &Trace,
                                   const ViewOptions &Options);

/// The section of view \p Which of one trace, or why the trace can't give it.
Result<Section> buildSection(const KinetoTrace &Trace, View Which,
                             const ViewOptions &Options);

/// The same of figures, for the views that isTraceView() names.
Result<Section> buildSection(const TraceFigures &Of, View Which,
                             const ViewOptions &Options);

/// True for the views that are of traces' operators and device work, and that
/// a trace therefore doesn't share with a profile of the host alone.
bool isTraceView(View Which);

/// Fills \p Out's file, label, facts, footer and integrity from what is \p
/// About a trace, of whose \p Events \p Overlapping could not be nested
/// (HostCalls::Overlapping).
void describeTrace(const TraceInfo &About, uint64_t Events,
                   uint64_t Overlapping, Section &Out);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_KINETOSECTION_H
