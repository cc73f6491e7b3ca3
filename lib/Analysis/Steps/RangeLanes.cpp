// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives lanes to ranges, by start.

#include "Analysis/Steps/RangeLanes.h"

#include <functional>
#include <map>
#include <queue>

using namespace loopscope;

namespace {
template <typename T>
using SmallestFirst = std::priority_queue<T, std::vector<T>, std::greater<T>>;

// The lanes of a process, by number.
struct ProcessLanes {
  std::vector<RangeLane> Lanes;
  SmallestFirst<std::pair<int64_t, uint32_t>> Busy; // until when
  SmallestFirst<uint32_t> Free;
};
} // namespace

std::vector<RangeLane> loopscope::rangeLanes(const Run &R) {
  std::map<std::string, ProcessLanes> Of;
  for (uint32_t I = 0; I < R.RangeSpans.size(); ++I) {
    const RangeSpan &Span = R.RangeSpans[I];
    ProcessLanes &Lanes = Of[Span.Process];
    while (!Lanes.Busy.empty() && Lanes.Busy.top().first <= Span.StartNs) {
      Lanes.Free.push(Lanes.Busy.top().second);
      Lanes.Busy.pop();
    }
    auto Lane = static_cast<uint32_t>(Lanes.Lanes.size());
    if (Lanes.Free.empty()) {
      Lanes.Lanes.push_back(
          {Span.Process.empty() ? "ranges" : Span.Process + " ranges", {}});
    } else {
      Lane = Lanes.Free.top();
      Lanes.Free.pop();
    }
    Lanes.Lanes[Lane].Spans.push_back(I);
    Lanes.Busy.emplace(Span.EndNs, Lane);
  }
  std::vector<RangeLane> Result;
  for (auto &[Process, Lanes] : Of)
    for (RangeLane &Each : Lanes.Lanes)
      Result.push_back(std::move(Each));
  return Result;
}
