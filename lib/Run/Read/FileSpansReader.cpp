// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indexes a timeline's blocks. Each is decoded alone, because the index knows
// what was open at its begin.

#include "Run/Read/FileSpansReader.h"

#include "Run/Model/Run.h"

#include <loopscope/profile_counters.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

using namespace loopscope;

namespace {
// No run has more; of a hostile file, the rest is left out.
constexpr size_t MaxPaths = PackedEvent::MaxNodes;

// What all threads of a file need to decode its blocks.
struct BlockReader {
  std::shared_ptr<const OpenFile> File;
  Clock Ticks;
  uint64_t Start;
  std::vector<uint32_t> NodeOf; // the file's index -> ours

  /// Calls VISIT(is a begin, node, time) for the first MOST events of COPY that
  /// begin or end a span; NOW is the thread's time, which never runs backwards.
  /// Returns the number of events.
  template <typename Function>
  size_t forEachEvent(const loopscope_event_block &Copy, size_t Most,
                      int64_t &Now, Function Visit) const {
    size_t I = 0;
    for (; I < Most && Copy.event[I] != 0; ++I) {
      PackedEvent Event(Copy.event[I]);
      uint32_t Node = NodeOf[Event.Node];
      if (Node == None || Event.Type > LOOPSCOPE_EVENT_END)
        continue;
      uint64_t At = Copy.base_ticks + Event.Value;
      Now = std::max(Now, At > Start ? Ticks.toNs(At - Start) : 0);
      Visit(Event.Type == LOOPSCOPE_EVENT_BEGIN, Node, Now);
    }
    return I;
  }
};

// A span that is open while events are read.
struct OpenSpan {
  uint32_t Path;
  uint32_t Node;
  int64_t StartNs;
  uint32_t Number; // where its end is wanted; None: nowhere
};

// Ends the innermost span of NODE and all inside it, from the inside out; none
// if its begin was overwritten.
template <typename Function>
void endSpans(std::vector<OpenSpan> &Open, uint32_t Node, Function Ended) {
  auto Found =
      std::find_if(Open.rbegin(), Open.rend(),
                   [&](const OpenSpan &Each) { return Each.Node == Node; });
  if (Found == Open.rend())
    return;
  auto Keep = static_cast<size_t>(Open.rend() - Found) - 1;
  for (; Open.size() > Keep; Open.pop_back())
    Ended(Open.back());
}

class SpansInFile : public FileSpans {
public:
  explicit SpansInFile(std::shared_ptr<const BlockReader> From)
      : From(std::move(From)) {}

  /// Adds the thread's next block, whose bytes are COPY.
  void add(const EventBlock &Place, const loopscope_event_block &Copy);
  /// After all blocks: what is open has run until END_NS.
  void finish(int64_t EndNs);

  const std::vector<Path> &paths() const override { return Paths; }
  uint64_t size() const override { return Count; }
  int64_t firstNs() const override { return FirstNs; }
  int64_t lastNs() const override { return LastNs; }
  int64_t startOf(uint64_t Index) const override;
  uint64_t firstAt(int64_t Ns) const override;
  std::vector<FileSpan> in(int64_t FromNs, int64_t ToNs) const override;
  void forEach(const std::function<void(std::span<const FileSpan>)> &Visit)
      const override;

private:
  struct Block {
    EventBlock Place;
    int64_t BeforeNs;   // the thread's time before its first event
    uint64_t FirstSpan; // the number of the first one that begins in it
    uint32_t Inner;     // in Crossing: what is open at its begin; None: nothing
    uint32_t Events;    // that it had when it was read
  };
  // A span that is open at the begin of a block.
  struct CrossingSpan {
    int64_t StartNs;
    int64_t EndNs;
    uint32_t Path;
    uint32_t Around; // in Crossing; None: nothing
    bool Open;
  };

  uint32_t pathOf(uint32_t Above, uint32_t Node) const;
  uint32_t addPath(uint32_t Above, uint32_t Node);
  std::vector<uint32_t> around(size_t Block) const;
  std::vector<FileSpan> spansOf(size_t Block) const;
  size_t blockBefore(int64_t Ns) const;

  std::shared_ptr<const BlockReader> From;
  std::vector<Block> Blocks;
  std::vector<CrossingSpan> Crossing;
  std::vector<Path> Paths;
  std::vector<uint32_t> FirstPathOf; // by node
  std::unordered_map<uint64_t, uint32_t> OtherPaths;
  uint64_t Count = 0;
  int64_t FirstNs = 0, LastNs = 0;
  // While blocks are added.
  std::vector<OpenSpan> Open;
  int64_t Now = 0;
};
} // namespace

// The path of NODE inside ABOVE, or None.
uint32_t SpansInFile::pathOf(uint32_t Above, uint32_t Node) const {
  uint32_t First = Node < FirstPathOf.size() ? FirstPathOf[Node] : None;
  if (First != None && Paths[First].Above == Above)
    return First;
  auto Found = OtherPaths.find(uint64_t{Above} << 32 | Node);
  return Found == OtherPaths.end() ? None : Found->second;
}

uint32_t SpansInFile::addPath(uint32_t Above, uint32_t Node) {
  if (uint32_t Known = pathOf(Above, Node);
      Known != None || Paths.size() >= MaxPaths)
    return Known;
  auto New = static_cast<uint32_t>(Paths.size());
  Paths.push_back({Above, Node, 0, 0});
  if (FirstPathOf.size() <= Node)
    FirstPathOf.resize(Node + size_t{1}, None);
  if (FirstPathOf[Node] == None)
    FirstPathOf[Node] = New;
  else
    OtherPaths.emplace(uint64_t{Above} << 32 | Node, New);
  return New;
}

void SpansInFile::add(const EventBlock &Place,
                      const loopscope_event_block &Copy) {
  for (size_t I = 0; I < Open.size(); ++I)
    if (OpenSpan &Each = Open[I]; Each.Number == None) {
      Each.Number = static_cast<uint32_t>(Crossing.size());
      Crossing.push_back({Each.StartNs, Each.StartNs, Each.Path,
                          I == 0 ? None : Open[I - 1].Number, true});
    }
  Blocks.push_back(
      {Place, Now, Count, Open.empty() ? None : Open.back().Number, 0});
  auto Ended = [this](const OpenSpan &Each) {
    Path &Its = Paths[Each.Path];
    Its.Ns = saturatingAdd(Its.Ns, Now - Each.StartNs);
    LastNs = Now;
    if (Each.Number != None) {
      Crossing[Each.Number].EndNs = Now;
      Crossing[Each.Number].Open = false;
    }
  };
  size_t Events = From->forEachEvent(
      Copy, LOOPSCOPE_EVENT_BLOCK_EVENTS, Now,
      [&](bool IsBegin, uint32_t Node, int64_t At) {
        if (!IsBegin)
          return endSpans(Open, Node, Ended);
        uint32_t Path = addPath(Open.empty() ? None : Open.back().Path, Node);
        if (Path == None || Open.size() >= MaxTreeDepth)
          return;
        ++Paths[Path].Spans;
        FirstNs = Count++ == 0 ? At : FirstNs;
        Open.push_back({Path, Node, At, None});
      });
  Blocks.back().Events = static_cast<uint32_t>(Events);
}

void SpansInFile::finish(int64_t EndNs) {
  EndNs = std::max(EndNs, Now);
  if (!Open.empty())
    LastNs = EndNs;
  for (const OpenSpan &Each : Open) {
    Paths[Each.Path].Ns =
        saturatingAdd(Paths[Each.Path].Ns, EndNs - Each.StartNs);
    if (Each.Number != None)
      Crossing[Each.Number].EndNs = EndNs;
  }
  Open = {};
}

// What is open at the begin of BLOCK, the outermost first.
std::vector<uint32_t> SpansInFile::around(size_t Block) const {
  std::vector<uint32_t> Result;
  for (uint32_t I = Blocks[Block].Inner; I != None; I = Crossing[I].Around)
    Result.push_back(I);
  std::reverse(Result.begin(), Result.end());
  return Result;
}

// The spans that begin in BLOCK; none if it was overwritten meanwhile.
std::vector<FileSpan> SpansInFile::spansOf(size_t Block) const {
  const SpansInFile::Block &Its = Blocks[Block];
  std::vector<FileSpan> Result;
  loopscope_event_block Copy;
  if (!readBlock(*From->File, Its.Place, Copy))
    return Result;
  Result.reserve(LOOPSCOPE_EVENT_BLOCK_EVENTS / 2);
  std::vector<OpenSpan> Running;
  for (uint32_t Each : around(Block)) {
    const CrossingSpan &S = Crossing[Each];
    Running.push_back({S.Path, Paths[S.Path].Node, S.StartNs, None});
  }
  int64_t Time = Its.BeforeNs;
  From->forEachEvent(
      Copy, Its.Events, Time, [&](bool IsBegin, uint32_t Node, int64_t At) {
        if (!IsBegin)
          return endSpans(Running, Node, [&](const OpenSpan &Each) {
            if (Each.Number == None)
              return;
            Result[Each.Number].EndNs = At;
            Result[Each.Number].Open = false;
          });
        uint32_t Path =
            pathOf(Running.empty() ? None : Running.back().Path, Node);
        if (Path == None || Running.size() >= MaxTreeDepth)
          return;
        Running.push_back(
            {Path, Node, At, static_cast<uint32_t>(Result.size())});
        Result.push_back({At, At, Path, true});
      });
  // Those that go on are open at the begin of the next block, too.
  std::vector<uint32_t> Next;
  if (Block + 1 < Blocks.size())
    Next = around(Block + 1);
  for (size_t I = 0; I < Running.size(); ++I) {
    if (Running[I].Number == None)
      continue;
    FileSpan &S = Result[Running[I].Number];
    S.EndNs = std::max(S.StartNs, LastNs);
    if (I < Next.size() && Crossing[Next[I]].StartNs == S.StartNs) {
      S.EndNs = Crossing[Next[I]].EndNs;
      S.Open = Crossing[Next[I]].Open;
    }
  }
  return Result;
}

// The last block before whose first event the thread's time is below NS: no
// span of a later one begins earlier, and none of an earlier one later.
size_t SpansInFile::blockBefore(int64_t Ns) const {
  auto After = std::lower_bound(
      Blocks.begin(), Blocks.end(), Ns,
      [](const Block &Each, int64_t At) { return Each.BeforeNs < At; });
  return After == Blocks.begin()
             ? 0
             : static_cast<size_t>(After - Blocks.begin()) - 1;
}

int64_t SpansInFile::startOf(uint64_t Index) const {
  auto After = std::upper_bound(
      Blocks.begin(), Blocks.end(), Index,
      [](uint64_t At, const Block &Each) { return At < Each.FirstSpan; });
  if (After == Blocks.begin())
    return FirstNs;
  auto At = static_cast<size_t>(After - Blocks.begin()) - 1;
  std::vector<FileSpan> Spans = spansOf(At);
  uint64_t Number = Index - Blocks[At].FirstSpan;
  return Number < Spans.size() ? Spans[Number].StartNs : Blocks[At].BeforeNs;
}

uint64_t SpansInFile::firstAt(int64_t Ns) const {
  if (Blocks.empty())
    return 0;
  size_t At = blockBefore(Ns);
  std::vector<FileSpan> Spans = spansOf(At);
  auto Found = std::ranges::lower_bound(Spans, Ns, {}, &FileSpan::StartNs);
  return Blocks[At].FirstSpan + static_cast<uint64_t>(Found - Spans.begin());
}

std::vector<FileSpan> SpansInFile::in(int64_t FromNs, int64_t ToNs) const {
  std::vector<FileSpan> Result;
  if (Blocks.empty())
    return Result;
  size_t At = blockBefore(FromNs);
  for (uint32_t Each : around(At))
    if (const CrossingSpan &S = Crossing[Each]; S.EndNs > FromNs)
      Result.push_back({S.StartNs, S.EndNs, S.Path, S.Open});
  for (; At < Blocks.size() && Blocks[At].BeforeNs < ToNs; ++At)
    for (const FileSpan &S : spansOf(At))
      if (S.StartNs < ToNs && (S.StartNs >= FromNs || S.EndNs > FromNs))
        Result.push_back(S);
  return Result;
}

void SpansInFile::forEach(
    const std::function<void(std::span<const FileSpan>)> &Visit) const {
  for (size_t I = 0; I < Blocks.size(); ++I)
    Visit(spansOf(I));
}

std::vector<FileLane> loopscope::readFileLanes(ProfileBytes &Records,
                                               const Clock &Ticks,
                                               const TimelineIndices &Indices,
                                               bool IsRunning) {
  const auto &Lost = Records.header().counters;
  if (!Records.file() ||
      (IsRunning && Lost[LOOPSCOPE_COUNT_EVENTS_DROPPED] != 0))
    return {};
  uint64_t Start = Records.header().start_ticks;
  auto Shared = std::make_shared<BlockReader>(
      BlockReader{Records.file(), Ticks, Start,
                  std::vector<uint32_t>(PackedEvent::MaxNodes, None)});
  for (auto [Old, New] : Indices.NodeOf)
    if (Old < Shared->NodeOf.size())
      Shared->NodeOf[Old] = New;
  std::vector<std::shared_ptr<SpansInFile>> Made(Indices.Ends.size());
  loopscope_event_block Copy;
  for (const EventBlock &Each : Records.eventBlocks()) {
    auto Found = Indices.ThreadOf.find(Each.Thread);
    if (Found == Indices.ThreadOf.end() ||
        !readBlock(*Shared->File, Each, Copy))
      continue;
    std::shared_ptr<SpansInFile> &To = Made[Found->second];
    if (!To)
      To = std::make_shared<SpansInFile>(Shared);
    To->add(Each, Copy);
  }
  std::vector<FileLane> Result(Made.size());
  for (size_t I = 0; I < Made.size(); ++I) {
    if (!Made[I])
      continue;
    Made[I]->finish(
        Indices.Ends[I] > Start ? Ticks.toNs(Indices.Ends[I] - Start) : 0);
    if (Made[I]->size() == 0)
      continue;
    for (const FileSpans::Path &Each : Made[I]->paths())
      Result[I].NodeOf.push_back(Each.Node);
    Result[I].Spans = std::move(Made[I]);
  }
  return Result;
}
