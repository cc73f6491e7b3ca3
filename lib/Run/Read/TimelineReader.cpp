// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs begins and ends, block by block in the order of writing.

#include "Run/Read/TimelineReader.h"

#include <sys/mman.h>

#include <algorithm>

using namespace loopscope;

namespace {
// How many blocks the first attempt to find the last steps reads; each further
// one reads this many times more.
constexpr size_t FirstAttempt = 64;
constexpr size_t Growth = 8;

// One thread's spans so far, and the open ones.
struct Track {
  std::vector<TimelineSpan> Spans;
  std::vector<size_t> Open; // indices of Spans, the innermost last
  int64_t LastNs = 0;       // time never runs backwards on a track

  void begin(uint32_t Node, int64_t At);
  void end(uint32_t Node, int64_t At);
  void number(uint32_t Node, uint64_t Step);
};

// Reserves room for at most COUNT spans, in large pages if the system has them:
// touching it for the first time would otherwise cost more than reading.
void reserve(std::vector<TimelineSpan> &Spans, size_t Count) {
  constexpr uintptr_t LargePage = uintptr_t{2} << 20;
  Spans.reserve(Count);
  auto Begin = reinterpret_cast<uintptr_t>(Spans.data());
  uintptr_t First = (Begin + LargePage - 1) / LargePage * LargePage;
  uintptr_t Past =
      (Begin + Count * sizeof(TimelineSpan)) / LargePage * LargePage;
  if (First < Past)
    madvise(reinterpret_cast<void *>(First), Past - First, MADV_HUGEPAGE);
}

class SpansInMemory {
public:
  SpansInMemory(ProfileBytes &Records, const Clock &Ticks,
                const TimelineIndices &Indices, const std::vector<Node> &Nodes)
      : Records(Records), Ticks(Ticks), Indices(Indices), Nodes(Nodes),
        Start(Records.header().start_ticks),
        NodeOf(Records.eventBlocks().empty() ? 0 : PackedEvent::MaxNodes,
               None) {
    for (auto [Old, New] : Indices.NodeOf)
      if (Old < NodeOf.size())
        NodeOf[Old] = New;
    for (const EventBlock &Each : Records.eventBlocks())
      if (auto Found = Indices.ThreadOf.find(Each.Thread);
          Found != Indices.ThreadOf.end())
        Blocks.push_back({Each, Found->second});
  }

  std::vector<std::vector<TimelineSpan>> read(size_t Steps);
  std::vector<std::vector<TimelineSpan>> readNewest(size_t Spans, bool &IsCut);

private:
  struct Block {
    EventBlock Place;
    uint32_t Thread; ///< in Run::Threads
  };

  int64_t sinceStart(uint64_t At) const {
    return At > Start ? Ticks.toNs(At - Start) : 0;
  }
  std::vector<bool> since(uint64_t Base) const;
  void readBlocks(const std::vector<bool> &Wanted, bool FromWithin);
  bool readBlock(const Block &From, bool FromWithin);
  void openAround(Track &T, PackedEvent Event, int64_t At) const;
  size_t stepsSince(int64_t Ns) const;
  std::vector<std::vector<TimelineSpan>> finished();

  ProfileBytes &Records;
  const Clock &Ticks;
  const TimelineIndices &Indices;
  const std::vector<Node> &Nodes;
  uint64_t Start;
  std::vector<uint32_t> NodeOf; // file's index -> ours; empty without blocks
  std::vector<Block> Blocks;
  std::vector<Track> Tracks;
  loopscope_event_block Copy{};
};
} // namespace

void Track::begin(uint32_t Node, int64_t At) {
  Open.push_back(Spans.size());
  Spans.push_back({Node, true, At, At, -1});
}

// Ends the innermost span of NODE, and everything still open inside it.
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
    Spans[Open.back()].Step =
        Step == LOOPSCOPE_EVENT_NO_STEP ? -1 : static_cast<int64_t>(Step);
}

// The blocks that may contain events since BASE (ticks): those that each thread
// began later, and the one before them.
std::vector<bool> SpansInMemory::since(uint64_t Base) const {
  std::vector<bool> Wanted(Blocks.size(), false);
  std::vector<bool> HasEarlier(Indices.Ends.size(), false);
  for (size_t I = Blocks.size(); I-- > 0;) {
    if (HasEarlier[Blocks[I].Thread])
      continue;
    Wanted[I] = true;
    HasEarlier[Blocks[I].Thread] = Blocks[I].Place.BaseTicks <= Base;
  }
  return Wanted;
}

// Opens what was open when EVENT was written, the first one of a thread within
// the part that is read: spans nest as their nodes do.
void SpansInMemory::openAround(Track &T, PackedEvent Event, int64_t At) const {
  uint32_t Inner = NodeOf[Event.Node];
  if (Inner == None)
    return;
  if (Event.Type == LOOPSCOPE_EVENT_BEGIN)
    Inner = Nodes[Inner].Parent;
  std::vector<uint32_t> Way;
  for (; Inner != None && Nodes[Inner].Parent != None;
       Inner = Nodes[Inner].Parent)
    Way.push_back(Inner);
  for (size_t I = Way.size(); I-- > 0;)
    T.begin(Way[I], At);
}

// False if the program has begun to overwrite it.
bool SpansInMemory::readBlock(const Block &From, bool FromWithin) {
  if (!Records.readBlock(From.Place, Copy))
    return false;
  Track &T = Tracks[From.Thread];
  if (FromWithin && Copy.event[0] != 0)
    openAround(T, PackedEvent(Copy.event[0]), sinceStart(Copy.base_ticks));
  for (uint64_t Word : Copy.event) {
    if (Word == 0)
      break;
    PackedEvent Event(Word);
    uint32_t Node = NodeOf[Event.Node];
    if (Node == None)
      continue;
    if (Event.Type == LOOPSCOPE_EVENT_NUMBER) {
      T.number(Node, Event.Value);
      continue;
    }
    T.LastNs = std::max(T.LastNs, sinceStart(Copy.base_ticks + Event.Value));
    if (Event.Type == LOOPSCOPE_EVENT_BEGIN)
      T.begin(Node, T.LastNs);
    else if (Event.Type == LOOPSCOPE_EVENT_END)
      T.end(Node, T.LastNs);
  }
  return true;
}

// FROM_WITHIN: each thread's first block isn't where its timeline begins.
void SpansInMemory::readBlocks(const std::vector<bool> &Wanted,
                               bool FromWithin) {
  Tracks.clear();
  Tracks.resize(Indices.Ends.size());
  std::vector<size_t> Most(Tracks.size(), 0);
  for (size_t I = 0; I < Blocks.size(); ++I)
    Most[Blocks[I].Thread] += Wanted[I];
  // Most spans have two events, so this is all they need, or almost.
  for (size_t T = 0; T < Tracks.size(); ++T)
    reserve(Tracks[T].Spans, Most[T] * (LOOPSCOPE_EVENT_BLOCK_EVENTS / 2));
  std::vector<bool> Begun(Tracks.size(), false);
  for (size_t I = 0; I < Blocks.size(); ++I)
    if (Wanted[I] &&
        readBlock(Blocks[I], FromWithin && !Begun[Blocks[I].Thread]))
      Begun[Blocks[I].Thread] = true;
}

// The number of steps that began at NS or later and were followed by a batch.
size_t SpansInMemory::stepsSince(int64_t Ns) const {
  size_t Count = 0;
  std::vector<bool> HasStep(Nodes.size(), false); // and no batch of it yet
  for (const Track &T : Tracks)
    for (const TimelineSpan &S : T.Spans) {
      const Node &N = Nodes[S.Node];
      if (N.Kind == LOOPSCOPE_KIND_STEP) {
        HasStep[S.Node] = S.Step >= 0 && S.StartNs >= Ns;
      } else if (N.Kind == LOOPSCOPE_KIND_BATCH && HasStep[N.Parent]) {
        HasStep[N.Parent] = false;
        ++Count;
      }
    }
  return Count;
}

std::vector<std::vector<TimelineSpan>> SpansInMemory::read(size_t Steps) {
  if (Steps != SIZE_MAX)
    for (size_t Back = FirstAttempt; Back < Blocks.size(); Back *= Growth) {
      uint64_t Base = Blocks[Blocks.size() - Back].Place.BaseTicks;
      readBlocks(since(Base), true);
      if (stepsSince(sinceStart(Base)) >= Steps)
        return finished();
    }
  readBlocks(std::vector<bool>(Blocks.size(), true), false);
  return finished();
}

std::vector<std::vector<TimelineSpan>> SpansInMemory::readNewest(size_t Spans,
                                                                 bool &IsCut) {
  size_t Count = Spans / (LOOPSCOPE_EVENT_BLOCK_EVENTS / 2) + 1;
  IsCut = Count < Blocks.size();
  std::vector<bool> Wanted(Blocks.size(), true);
  if (IsCut)
    std::fill(Wanted.begin(), Wanted.end() - static_cast<ptrdiff_t>(Count),
              false);
  readBlocks(Wanted, false);
  return finished();
}

std::vector<std::vector<TimelineSpan>> SpansInMemory::finished() {
  std::vector<std::vector<TimelineSpan>> Result;
  for (size_t T = 0; T < Tracks.size(); ++T) {
    int64_t End = std::max(Tracks[T].LastNs, sinceStart(Indices.Ends[T]));
    for (size_t Span : Tracks[T].Open)
      Tracks[T].Spans[Span].EndNs = End;
    Result.push_back(std::move(Tracks[T].Spans));
  }
  return Result;
}

std::vector<std::vector<TimelineSpan>> loopscope::readTimeline(
    ProfileBytes &Records, const Clock &Ticks, const TimelineIndices &Indices,
    const std::vector<Node> &Nodes, size_t Steps, size_t Newest, bool &IsCut) {
  SpansInMemory From(Records, Ticks, Indices, Nodes);
  return Newest == SIZE_MAX ? From.read(Steps) : From.readNewest(Newest, IsCut);
}
