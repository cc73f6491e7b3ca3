// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the HTML page's timeline may show: the lanes of a run, threads, streams
// of devices and ranges, and their spans. One class for each kind of recording,
// so that the timeline is made in one place.

#ifndef LOOPSCOPE_REPORT_HTML_HTMLLANES_H
#define LOOPSCOPE_REPORT_HTML_HTMLLANES_H

#include "Run/Model/Run.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace loopscope {

/// A span on its lane.
struct LaneSpan {
  uint32_t Lane = None; ///< None: it isn't for people
  int64_t StartNs = 0;
  int64_t EndNs = 0;
};

/// Where device work was launched.
struct LaneLaunch {
  uint32_t Lane = None;
  int64_t Ns = 0;
};

/// The spans of a run by number. Lanes are in the order in which they are
/// shown, threads above streams above ranges; spans of a lane that start
/// together are outer ones first. Times are the run's own. Refers to the run.
class HtmlLanes {
public:
  virtual ~HtmlLanes() = default;
  virtual size_t size() const = 0;
  virtual LaneSpan at(size_t Span) const = 0;
  /// Spans with the same one have the same name; making a name takes a while.
  virtual uint64_t nameKey(size_t Span) const = 0;
  virtual std::string nameOf(size_t Span) const = 0;
  /// Its call path, in Run::Nodes; None if it has none.
  virtual uint32_t nodeOf(size_t Span) const = 0;
  virtual std::optional<LaneLaunch> launchOf(size_t Span) const = 0;
  virtual std::string laneName(uint32_t Lane) const = 0;
};

/// The lanes of \p R: of its timeline or, if every figure comes from its
/// events, of these. Threads with a FileLane have a lane without spans.
std::unique_ptr<HtmlLanes> htmlLanes(const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_HTML_HTMLLANES_H
