// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All spans of the tracks of which a page has only a part one by one: what a
// server sends where people zoom in.

#ifndef LOOPSCOPE_REPORT_HTML_HTMLSPANS_H
#define LOOPSCOPE_REPORT_HTML_HTMLSPANS_H

#include "Report/Html/HtmlPage.h"
#include "Report/Html/HtmlTrackSpans.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace loopscope {

/// The single spans of a part of a timeline, on the tracks that the page has
/// cut.
struct HtmlSpanWindow {
  struct Track {
    uint32_t Index = 0; ///< in HtmlTimeline::Tracks
    /// Those of Spans and all above them, parents first: the number on the
    /// page (None: the page hasn't got it), and the path, whose parent is one
    /// of these.
    std::vector<std::pair<uint32_t, HtmlTimeline::Path>> Paths;
    HtmlTimeline::Window Spans; ///< their paths are numbers of Paths
  };
  int64_t FromNs = 0;
  int64_t ToNs = 0;   ///< FromNs if there are too many for any time
  bool IsCut = false; ///< whether ToNs is less than was asked for
  std::vector<Track> Tracks;
};

/// The most spans of a window, unless told otherwise.
constexpr size_t MaxHtmlWindow = 100'000;

/// The spans, by track. Once they are added, any number of threads may ask for
/// windows.
class HtmlSpans {
public:
  /// Adds track number \p Index of the timeline: its \p Paths, by path its
  /// number \p OnPage or None, and all \p Spans.
  void add(uint32_t Index, std::vector<HtmlTimeline::Path> Paths,
           std::vector<uint32_t> OnPage,
           std::shared_ptr<const HtmlTrackSpans> Spans);

  /// How many spans there are, over all tracks, and how many of them are in
  /// memory.
  uint64_t size() const;
  size_t held() const;

  /// What runs in [\p FromNs, \p ToNs), times of the timeline with \p FromNs <
  /// \p ToNs, or in as much of it from its start on as has at most \p Most
  /// spans.
  HtmlSpanWindow window(int64_t FromNs, int64_t ToNs,
                        size_t Most = MaxHtmlWindow) const;

private:
  struct Track {
    uint32_t Index;
    std::vector<HtmlTimeline::Path> Paths;
    std::vector<uint32_t> OnPage;
    std::shared_ptr<const HtmlTrackSpans> Spans;
  };
  std::vector<Track> Tracks;
};

/// \p Of as JSON, in the coding of a page's windows: page/served.js reads it.
std::string printWindow(const HtmlSpanWindow &Of);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_HTML_HTMLSPANS_H
