// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The HTML page's timeline. A profile's is empty without LOOPSCOPE=trace.

#ifndef LOOPSCOPE_REPORT_HTML_HTMLTIMELINE_H
#define LOOPSCOPE_REPORT_HTML_HTMLTIMELINE_H

#include "Analysis/Steps/StepBars.h"
#include "Report/Html/HtmlPage.h"
#include "Report/Html/HtmlParts.h"
#include "Report/Html/HtmlSpans.h"
#include "Report/Html/HtmlTrackSpans.h"

#include <memory>
#include <string>
#include <vector>

namespace loopscope {

/// The timeline of \p R, host threads above GPU streams. The starts of \p Steps
/// become positions on it. Spans that it has no room for go to \p Rest, if that
/// isn't null.
HtmlTimeline htmlTimeline(const Run &R, const HtmlPaths &Paths, StepBars &Steps,
                          HtmlSpans *Rest);

/// A track with all of its spans.
struct WholeTrack {
  std::string Name;
  std::vector<HtmlTimeline::Path> Paths;
  /// By path: the one that it is in sums. Steps may have a name each.
  std::vector<uint32_t> Alike;
  std::shared_ptr<const HtmlTrackSpans> Spans; ///< at least one
};

/// The timeline of \p Tracks, with as many single spans as a page has room for:
/// the slowest of \p Steps, the end, the start and parts in between. Tracks
/// that it has a part of go to \p Rest, too, if that isn't null.
void addTracks(std::vector<WholeTrack> Tracks, const StepBars &Steps,
               HtmlTimeline &To, HtmlSpans *Rest = nullptr);

/// Fills in Note and More, after addTracks. \p Part: which part of the run it
/// is, "The last 3 s: "; empty if it is the whole. \p More: what shows all
/// spans.
void describeDetail(const std::string &Part, const char *More,
                    HtmlTimeline &Of);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_HTML_HTMLTIMELINE_H
