// Pairs begins and ends, block by block in the order of writing.
#include "Profile/Timeline.h"

#include <algorithm>
#include <memory>

using namespace loopscope;

namespace {
constexpr uint64_t NodeMask = (uint64_t(1) << LOOPSCOPE_EVENT_NODE_BITS) - 1;
constexpr uint64_t TypeMask = (uint64_t(1) << LOOPSCOPE_EVENT_TYPE_BITS) - 1;

// One thread's spans so far, and those that are open.
struct Track {
  std::vector<TimelineSpan> Spans;
  std::vector<size_t> Open; // indices of Spans, the innermost last
  int64_t LastNs = 0;       // time never runs backwards on a track

  void begin(uint32_t Node, int64_t At);
  void end(uint32_t Node, int64_t At);
  void number(uint32_t Node, uint64_t Step);
};
} // namespace

void Track::begin(uint32_t Node, int64_t At) {
  Open.push_back(Spans.size());
  Spans.push_back({Node, At, At, -1, true});
}

// Ends the innermost span of NODE, and what is still open inside it.
void Track::end(uint32_t Node, int64_t At) {
  auto Found = std::find_if(Open.rbegin(), Open.rend(), [&](size_t Span) {
    return Spans[Span].Node == Node;
  });
  if (Found == Open.rend())
    return; // its begin was overwritten
  auto Keep = static_cast<size_t>(Open.rend() - Found) - 1;
  while (Open.size() > Keep) {
    Spans[Open.back()].EndNs = At;
    Spans[Open.back()].Open = false;
    Open.pop_back();
  }
}

void Track::number(uint32_t Node, uint64_t Step) {
  if (!Open.empty() && Spans[Open.back()].Node == Node)
    Spans[Open.back()].Step = static_cast<int64_t>(Step);
}

std::vector<std::vector<TimelineSpan>>
loopscope::readTimeline(ProfileBytes &Records, const Clock &Ticks,
                        const TimelineIndices &Indices) {
  std::vector<Track> Tracks(Indices.Ends.size());
  uint64_t Start = Records.header().start_ticks;
  auto SinceStart = [&](uint64_t At) {
    return At > Start ? Ticks.toNs(At - Start) : 0;
  };
  auto Block = std::make_unique<loopscope_event_block>();
  for (const EventBlock &Each : Records.eventBlocks()) {
    if (!Records.readBlock(Each, *Block))
      continue;
    auto Thread = Indices.ThreadOf.find(Block->thread);
    if (Thread == Indices.ThreadOf.end())
      continue;
    Track &T = Tracks[Thread->second];
    for (uint64_t Event : Block->event) {
      if (Event == 0)
        break;
      auto Node = Indices.NodeOf.find(static_cast<uint32_t>(Event & NodeMask));
      if (Node == Indices.NodeOf.end())
        continue;
      uint64_t Type = Event >> LOOPSCOPE_EVENT_NODE_BITS & TypeMask;
      uint64_t Value =
          Event >> (LOOPSCOPE_EVENT_NODE_BITS + LOOPSCOPE_EVENT_TYPE_BITS);
      if (Type == LOOPSCOPE_EVENT_NUMBER) {
        T.number(Node->second, Value);
        continue;
      }
      T.LastNs = std::max(T.LastNs, SinceStart(Block->base_ticks + Value));
      if (Type == LOOPSCOPE_EVENT_BEGIN)
        T.begin(Node->second, T.LastNs);
      else if (Type == LOOPSCOPE_EVENT_END)
        T.end(Node->second, T.LastNs);
    }
  }
  std::vector<std::vector<TimelineSpan>> Result;
  for (size_t T = 0; T < Tracks.size(); ++T) {
    int64_t End = std::max(Tracks[T].LastNs, SinceStart(Indices.Ends[T]));
    for (size_t Span : Tracks[T].Open)
      Tracks[T].Spans[Span].EndNs = End;
    Result.push_back(std::move(Tracks[T].Spans));
  }
  return Result;
}
