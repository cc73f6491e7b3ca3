// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The spans of one track of the timeline: in memory, or in the profile's file
// if they are too many for that.

#ifndef LOOPSCOPE_REPORT_HTML_HTMLTRACKSPANS_H
#define LOOPSCOPE_REPORT_HTML_HTMLTRACKSPANS_H

#include "Analysis/Steps/SpanWindows.h"
#include "Report/Html/HtmlPage.h"
#include "Run/Model/FileSpans.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace loopscope {

/// All spans of a track, by start. Any number of threads may use it at once.
class HtmlTrackSpans : public SpanStarts {
public:
  /// All that begin in [\p FromNs, \p ToNs), after those that begin before it
  /// and end after \p FromNs.
  virtual std::vector<HtmlSpan> in(int64_t FromNs, int64_t ToNs) const = 0;
  /// Calls \p Visit with each span, in order.
  virtual void
  forEach(const std::function<void(const TrackSpan &)> &Visit) const = 0;
  /// How many spans it holds in memory.
  virtual size_t held() const = 0;
};

/// \p Spans, by start.
std::shared_ptr<const HtmlTrackSpans>
spansInMemory(std::vector<HtmlSpan> Spans);

/// Those of \p Lane, which has some; \p PathOf has the track's path by that of
/// Lane.Spans, None for spans that aren't shown.
std::shared_ptr<const HtmlTrackSpans> spansInFile(const FileLane &Lane,
                                                  std::vector<uint32_t> PathOf);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_HTML_HTMLTRACKSPANS_H
