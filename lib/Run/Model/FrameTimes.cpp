// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One stack per track, of functions and of what isn't one.

#include "Run/Model/FrameTimes.h"

#include <algorithm>

namespace loopscope {
namespace {

bool takesPart(TraceKind Kind) {
  return !isDeviceWork(Kind) && Kind != TraceKind::Span &&
         Kind != TraceKind::Other;
}

// The events of each track that has functions and something around them.
std::vector<std::vector<uint32_t>> tracksWithFrames(const EventStream &Trace) {
  std::vector<bool> HasFrames(Trace.Tracks.size());
  std::vector<bool> HasOthers(Trace.Tracks.size());
  for (const TraceEvent &Event : Trace.Events) {
    if (Event.Kind == TraceKind::Function)
      HasFrames[Event.Track] = true;
    else if (takesPart(Event.Kind))
      HasOthers[Event.Track] = true;
  }
  std::vector<std::vector<uint32_t>> Result(Trace.Tracks.size());
  for (uint32_t E = 0; E < Trace.Events.size(); ++E)
    if (const TraceEvent &Event = Trace.Events[E]; HasFrames[Event.Track] &&
                                                   HasOthers[Event.Track] &&
                                                   takesPart(Event.Kind))
      Result[Event.Track].push_back(E);
  return Result;
}

class Adder {
public:
  explicit Adder(const EventStream &Trace) : Trace(Trace) {}

  std::vector<FrameTime> take() {
    for (std::vector<uint32_t> &Track : tracksWithFrames(Trace))
      addTrack(Track);
    return std::move(Out);
  }

private:
  static constexpr uint32_t None = UINT32_MAX;

  struct Open {
    int64_t End;
    bool IsFrame;
    uint32_t Owner; // the innermost event that is no function, or None
    uint32_t Row;   // the owner's, in Out, or None
  };

  // Outer events come first; of the same length, functions.
  bool isOutside(uint32_t A, uint32_t B) const {
    const TraceEvent &Left = Trace.Events[A];
    const TraceEvent &Right = Trace.Events[B];
    if (Left.Start != Right.Start)
      return Left.Start < Right.Start;
    if (Left.Duration != Right.Duration)
      return Left.Duration > Right.Duration;
    return Left.Kind == TraceKind::Function && Left.Kind != Right.Kind;
  }

  void addTrack(std::vector<uint32_t> &Events) {
    std::stable_sort(Events.begin(), Events.end(),
                     [&](uint32_t A, uint32_t B) { return isOutside(A, B); });
    std::vector<Open> Stack;
    for (uint32_t E : Events) {
      const TraceEvent &Event = Trace.Events[E];
      while (!Stack.empty() && (Event.Start >= Stack.back().End ||
                                Event.end() > Stack.back().End))
        Stack.pop_back();
      Open Next = {Event.end(), Event.Kind == TraceKind::Function, None, None};
      if (!Next.IsFrame)
        Next.Owner = E;
      else if (!Stack.empty())
        Next = addFrame(Stack.back(), Event);
      if (!Next.IsFrame && !Stack.empty() && Stack.back().IsFrame &&
          Stack.back().Row != None)
        Out[Stack.back().Row].Ns -= Event.Duration;
      Stack.push_back(Next);
    }
  }

  // A function in AROUND. One in another function is part of that one.
  Open addFrame(Open &Around, const TraceEvent &Event) {
    if (!Around.IsFrame) {
      if (Around.Row == None) {
        Around.Row = static_cast<uint32_t>(Out.size());
        Out.push_back({Around.Owner, 0});
      }
      Out[Around.Row].Ns += Event.Duration;
    }
    return {Event.end(), true, Around.Owner, Around.Row};
  }

  const EventStream &Trace;
  std::vector<FrameTime> Out;
};

} // namespace

std::vector<FrameTime> frameTimes(const EventStream &Trace) {
  return Adder(Trace).take();
}

} // namespace loopscope
