// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From checked records to the model. Trusts no index: parents and sites are
// looked up, and only nodes below a thread's root are kept, so cycles and
// orphans drop out.

#include "Run/Read/ProfileReader.h"

#include "Run/Model/Events.h"
#include "Run/Model/KnownNames.h"
#include "Run/Model/Stages.h"
#include "Run/Read/AmountsReader.h"
#include "Run/Read/Clock.h"
#include "Run/Read/CollectivesReader.h"
#include "Run/Read/CpuReader.h"
#include "Run/Read/DevicesReader.h"
#include "Run/Read/FactsReader.h"
#include "Run/Read/FileSpansReader.h"
#include "Run/Read/GpuReader.h"
#include "Run/Read/HeaderReader.h"
#include "Run/Read/HistogramReader.h"
#include "Run/Read/HistoryReader.h"
#include "Run/Read/KeysReader.h"
#include "Run/Read/MemoryReader.h"
#include "Run/Read/MergedFile.h"
#include "Run/Read/OperatorsReader.h"
#include "Run/Read/PartsReader.h"
#include "Run/Read/ProfileBytes.h"
#include "Run/Read/RangesReader.h"
#include "Run/Read/SelfTimes.h"
#include "Run/Read/StacksReader.h"
#include "Run/Read/SumsReader.h"
#include "Run/Read/TimelineReader.h"
#include "Run/Read/ValuesReader.h"
#include "Run/Read/WhatifReader.h"
#include "Support/Numbers.h"
#include "Support/Printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <system_error>
#include <unordered_map>

using namespace loopscope;

namespace {
class Reader {
public:
  Reader(ProfileBytes Records, const std::string &Name)
      : Records(std::move(Records)), Ticks(this->Records.header()) {
    R.Path = printable(Name);
  }

  Run read(WithTimeline Events) {
    Looks = readHistoryRecords(Records);
    ThreadRecords = Records.threads();
    NodeRecords = Records.nodes();
    readHeader(Records.header(), Ticks, R);
    readEnd();
    R.Parts = readParts(Records);
    readSites();
    readThreads();
    readTrees();
    readKeys(Records, NodeRecords, NodeOf, R);
    foldKeys({&R});
    readServed(NodeRecords, NodeOf, R);
    readInputs(R);
    readOperatorLinks(Records, NodeOf, R);
    GpuIndices Indices = gpuIndices();
    Sums = readNamedSums(Records, Indices.NodeOf, R.Lost);
    for (const NamedCounter &Each : Sums.Counters) {
      addNamedLoss(Each.Key, Each.Value, R.Lost);
      R.Given.read(Each.Key, Each.Value);
    }
    readSwitchedOff(Sums, Ticks, R);
    readCpu(Sums, lastTicks(), Ticks, R);
    readAmounts(Sums, R);
    readFirstSteps(Sums, Ticks, R);
    addUpTimes(Sums, Ticks, R);
    R.Histories.push_back(
        makeHistory(Looks, Ticks, SiteOf, Records.header().start_ticks, R));
    R.Gpu = readGpu(Records, Ticks, Indices, Events.deviceEvents(), R.Lost);
    R.Devices = readDevices(Records, Indices.NodeOf, R.Lost);
    R.Stacks = readStacks(
        Records, Sums, [&](uint32_t Node) { return anyNode(Node); },
        static_cast<uint32_t>(R.Threads.size()), R.WorkingDirectory, R.Lost);
    uint64_t Began = Records.header().start_ticks;
    readRanges(Records, Ticks, LastTicks > Began ? LastTicks - Began : 0,
               Events != WithTimeline::No, R);
    R.Facts = readFacts(Records, R.Lost);
    R.Values = readValues(Records, Ticks, R.WallNs, R.Lost);
    R.Whatif = readWhatif(Records, Ticks, NodeOf, R.Lost);
    readAwaited();
    readCollectives(Records, Ticks, Sums, NodeOf, R);
    if (Events != WithTimeline::No) {
      readMemoryOverTime(Records, Ticks, Indices.NodeOf, R);
      R.Timeline =
          readTimeline(Records, Ticks, timelineIndices(Events.Nested), R.Nodes,
                       Events.Steps, Events.Newest, R.TimelineIsCut);
    }
    if (R.TimelineIsCut)
      R.FileLanes = readFileLanes(Records, Ticks, timelineIndices(true),
                                  R.Ended == End::Running);
    R.Lost.MissingFiles = Records.missingFiles(R.Lost.SmallFunctions);
    R.Lost.BadRecords += Records.badRecords() + Looks.Bad;
    R.Lost.BytesMissing = Records.bytesMissing();
    return std::move(R);
  }

private:
  void readEnd();
  void readSites();
  void readThreads();
  using Children = std::unordered_map<uint32_t, std::vector<uint32_t>>;
  void readTrees();
  void readAwaited();
  uint64_t interruptedAt(uint32_t RootRecord, uint64_t End,
                         const Children &ChildrenOf) const;
  void readTree(uint32_t T, uint32_t RootRecord, const Children &ChildrenOf);
  std::vector<uint64_t> lastTicks() const;
  TimelineIndices timelineIndices(bool Nested) const;
  bool isNested(const Node &N) const;
  GpuIndices gpuIndices() const;
  /// Our index for a node of the file, including roots; None if there is none.
  uint32_t anyNode(uint32_t InFile) const;
  Node makeNode(const NodeRecord &Record, uint32_t Thread, uint32_t Parent,
                uint64_t OpenUntil);
  // What an open STEP's record doesn't tell about its parts.
  struct OpenStep {
    int64_t DrawnNs = 0;              // of the draw, before the batch began
    uint64_t BatchUntil = UINT64_MAX; // where the batch's time stands still
  };
  OpenStep openStep(const NodeRecord &Step,
                    const std::vector<uint32_t> &Parts) const;
  int64_t ticksBetween(uint64_t From, uint64_t To) const {
    return To > From ? Ticks.toNs(To - From) : 0;
  }

  ProfileBytes Records;
  Clock Ticks;
  Run R;
  NamedSums Sums;
  HistoryRecords Looks;
  std::vector<ThreadRecord> ThreadRecords;
  std::vector<NodeRecord> NodeRecords;
  // The file's indices -> ours; nodes without roots.
  std::unordered_map<uint32_t, uint32_t> SiteOf, NodeOf, RootOf;
  std::vector<uint64_t> ThreadEnd; // ticks up to which open spans have run
  uint64_t LastTicks = 0;          // the run's end, or the last sign of life
};

loopscope_kind kindOf(uint32_t Kind) {
  return Kind <= LOOPSCOPE_KIND_OPERATOR ? static_cast<loopscope_kind>(Kind)
                                         : LOOPSCOPE_KIND_PHASE;
}

bool isCut(const loopscope_profile_node &N) {
  return (N.flags & LOOPSCOPE_NODE_CUT) != 0 &&
         kindOf(N.kind) == LOOPSCOPE_KIND_PHASE;
}

double finiteOrZero(double Value) { return std::isfinite(Value) ? Value : 0; }
} // namespace

void Reader::readEnd() {
  const loopscope_profile_header &H = Records.header();
  LastTicks = H.end_ticks;
  if (LastTicks == 0) {
    LastTicks = std::max(H.start_ticks, H.last_ticks);
    for (const ThreadRecord &T : ThreadRecords)
      LastTicks = std::max(LastTicks, T.Thread.last_ticks);
    // The background thread goes on while the program hangs.
    LastTicks = std::max(LastTicks, Looks.lastTicks());
  }
  if (LastTicks > H.start_ticks)
    R.WallNs = Ticks.toNs(LastTicks - H.start_ticks);
}

void Reader::readSites() {
  std::vector<SiteRecord> All = Records.sites();
  R.Sites.reserve(All.size());
  for (const SiteRecord &Record : All) {
    if (!SiteOf.try_emplace(Record.Index, R.Sites.size()).second) {
      ++R.Lost.BadRecords;
      continue;
    }
    const loopscope_profile_site &S = Record.Site;
    Site Next;
    Next.Kind = kindOf(S.kind);
    Next.Name = Records.text(S.name);
    Next.File = Records.text(S.file);
    Next.Function = Records.text(S.function);
    Next.Line = S.line;
    Next.Use = siteUse(Next.Name);
    R.Sites.push_back(std::move(Next));
  }
}

void Reader::readThreads() {
  for (const ThreadRecord &Record : ThreadRecords) {
    const loopscope_profile_thread &T = Record.Thread;
    Thread Next;
    Next.Name = fieldText(T.name);
    Next.Tid = T.tid;
    Next.IsMain = T.is_main != 0;
    Next.Users = T.users;
    Next.Root = T.root; // the file's index until readTrees
    // In a part, a thread's last reading is when its tree was copied.
    bool GoesOn = T.state == 1 && R.Ended != End::Reset;
    uint64_t End = GoesOn ? LastTicks : T.last_ticks;
    uint64_t Alive = End > T.start_ticks ? End - T.start_ticks : 0;
    Next.LifetimeNs = Next.IsMain ? R.WallNs
                                  : saturatingAdd(Ticks.toNs(Alive),
                                                  Ticks.toNs(T.past_ticks));
    R.Threads.push_back(std::move(Next));
    ThreadEnd.push_back(End);
  }
}

void Reader::readAwaited() {
  for (size_t I = 0; I < ThreadRecords.size(); ++I) {
    const loopscope_profile_thread &T = ThreadRecords[I].Thread;
    auto Found = T.awaiting == 0 ? NodeOf.end() : NodeOf.find(T.awaiting - 1);
    if (Found == NodeOf.end() || !R.Nodes[Found->second].Open ||
        R.Nodes[Found->second].Thread != I)
      continue;
    Thread &To = R.Threads[I];
    To.AwaitingIn = Found->second;
    To.AwaitsMore = T.awaited_count > LOOPSCOPE_MOST_AWAITED;
    uint32_t Count = std::min(T.awaited_count, LOOPSCOPE_MOST_AWAITED);
    for (uint32_t Rank : std::span(T.awaited, Count))
      To.Awaited.push_back(Rank == LOOPSCOPE_ANY_RANK ? Thread::Any
                                                      : int64_t{Rank});
  }
}

// OPEN_UNTIL is how far the record's open span, if there is one, has got.
Node Reader::makeNode(const NodeRecord &Record, uint32_t Thread,
                      uint32_t Parent, uint64_t OpenUntil) {
  const loopscope_profile_node &N = Record.Node;
  Node Result;
  Result.Parent = Parent;
  Result.Thread = Thread;
  Result.Kind = kindOf(N.kind);
  if (auto Found = SiteOf.find(N.site); Found != SiteOf.end())
    Result.Site = Found->second;
  else if (Parent != None)
    ++R.Lost.BadRecords;
  Result.Warmup = (N.flags & LOOPSCOPE_NODE_WARMUP) != 0;
  Result.Excluded = (N.flags & LOOPSCOPE_NODE_EXCLUDED) != 0;
  Result.Open = N.open != 0 && Parent != None;
  Result.IsCut = isCut(N);
  Result.EndedEarly = Parent == None ? 0 : N.popped;
  Result.EndCameLater = (N.flags & LOOPSCOPE_NODE_LATE_END) != 0;
  Result.EndedElsewhere = (N.flags & LOOPSCOPE_NODE_OTHER_THREAD) != 0;
  Result.EndedOnOtherFibre = (N.flags & LOOPSCOPE_NODE_OTHER_FIBRE) != 0;
  Result.FibreEnded = (N.flags & LOOPSCOPE_NODE_FIBRE_ENDED) != 0;
  R.Lost.OpenSpans += Result.Open && !Result.IsCut;
  R.Lost.TornNodes += Record.Torn;

  uint64_t Spent = 0;
  if (__builtin_add_overflow(N.sum_ticks, N.uncounted_ticks, &Spent))
    Spent = UINT64_MAX;
  Result.FinishedNs = Ticks.toNs(N.sum_ticks);
  Result.InclusiveNs = Ticks.toNs(Spent);
  if (Result.Kind == LOOPSCOPE_KIND_BATCH)
    Result.ExcludedNs = Result.InclusiveNs - Result.FinishedNs;
  if (Result.Open)
    Result.EnterNs = ticksBetween(Records.header().start_ticks, N.enter_ticks);
  if (Result.Open)
    Result.InclusiveNs = saturatingAdd(
        Result.InclusiveNs, ticksBetween(Record.Node.enter_ticks, OpenUntil));
  Result.Spans = Moments::fromSums(N.count, N.sum_ticks, N.square_low,
                                   N.square_high, Ticks.nsPerTick());
  if (N.count != 0)
    Result.Spans.setDistribution(static_cast<double>(Ticks.toNs(N.min_ticks)),
                                 static_cast<double>(Ticks.toNs(N.max_ticks)),
                                 readHistogram(Record, Ticks));
  Result.Samples = N.samples;
  // samples per tick -> samples per second
  Result.RateSum = finiteOrZero(N.rate_sum / Ticks.nsPerTick() * NsPerSecond);
  Result.RateCount = N.rate_count;
  Result.EqualSamples = (N.flags & LOOPSCOPE_NODE_EQUAL_SAMPLES) != 0;
  Result.Calls = {N.gpu_launches, Ticks.toNs(N.gpu_launch_ticks),
                  N.gpu_waits,    Ticks.toNs(N.gpu_wait_ticks),
                  N.gpu_calls,    Ticks.toNs(N.gpu_call_ticks)};
  return Result;
}

// The draw of a STEP whose batch has begun isn't recorded before the step ends;
// it follows from the batch's start. While an explicit draw runs, the clocks of
// the batch and of the phases in it stand still.
Reader::OpenStep Reader::openStep(const NodeRecord &Step,
                                  const std::vector<uint32_t> &Parts) const {
  const loopscope_profile_node *Draw = nullptr;
  const loopscope_profile_node *Batch = nullptr;
  for (uint32_t I : Parts) {
    const loopscope_profile_node &N = NodeRecords[I].Node;
    if (N.kind == LOOPSCOPE_KIND_DRAW)
      Draw = &N;
    else if (N.kind == LOOPSCOPE_KIND_BATCH)
      Batch = &N;
  }
  OpenStep Result;
  if (!Draw || !Batch || Step.Node.open == 0 || Batch->open == 0)
    return Result;
  Result.DrawnNs = ticksBetween(Step.Node.enter_ticks, Batch->enter_ticks);
  if (Draw->open != 0)
    Result.BatchUntil = Draw->enter_ticks;
  return Result;
}

// How long the last span of each of our nodes was.
std::vector<uint64_t> Reader::lastTicks() const {
  std::vector<uint64_t> Result(R.Nodes.size());
  for (const NodeRecord &Record : NodeRecords)
    if (auto Found = NodeOf.find(Record.Index); Found != NodeOf.end())
      Result[Found->second] = Record.Node.last_ticks;
  return Result;
}

void Reader::readTrees() {
  R.Nodes.reserve(NodeRecords.size());
  NodeOf.reserve(NodeRecords.size());
  std::unordered_map<uint32_t, uint32_t> RecordOf;
  RecordOf.reserve(NodeRecords.size());
  Children ChildrenOf; // records by their parent's index in the file
  for (uint32_t I = 0; I < NodeRecords.size(); ++I) {
    bool IsFirst = RecordOf.try_emplace(NodeRecords[I].Index, I).second;
    if (IsFirst && NodeRecords[I].Node.parent != None)
      ChildrenOf[NodeRecords[I].Node.parent].push_back(I);
  }
  for (uint32_t T = 0; T < R.Threads.size(); ++T) {
    auto Found = RecordOf.find(R.Threads[T].Root);
    R.Threads[T].Root = None;
    if (Found == RecordOf.end() ||
        NodeRecords[Found->second].Node.parent != None) {
      ++R.Lost.BadRecords;
      continue;
    }
    R.Threads[T].Root = static_cast<uint32_t>(R.Nodes.size());
    RootOf.emplace(Found->first, R.Threads[T].Root);
    readTree(T, Found->second, ChildrenOf);
    RecordOf.erase(Found); // another thread cannot have it as well
  }
  R.Lost.BadRecords += NodeRecords.size() - R.Nodes.size();
}

// Until when the spans of a thread ran that are open: while a cut runs, the
// clocks of all others stand still. Cuts are children of the root.
uint64_t Reader::interruptedAt(uint32_t RootRecord, uint64_t End,
                               const Children &ChildrenOf) const {
  auto Children = ChildrenOf.find(NodeRecords[RootRecord].Index);
  if (Children != ChildrenOf.end())
    for (uint32_t Each : Children->second) {
      const loopscope_profile_node &N = NodeRecords[Each].Node;
      if (isCut(N) && N.open != 0)
        End = std::min(End, N.enter_ticks);
    }
  return End;
}

// Breadth first; the nodes created so far are the queue.
void Reader::readTree(uint32_t T, uint32_t RootRecord,
                      const Children &ChildrenOf) {
  struct Source {
    uint32_t Record;
    uint32_t Depth;
    uint64_t OpenUntil;
  };
  auto First = static_cast<uint32_t>(R.Nodes.size());
  uint64_t Interrupted = interruptedAt(RootRecord, ThreadEnd[T], ChildrenOf);
  std::vector<Source> Queue = {{RootRecord, 0, Interrupted}};
  R.Nodes.push_back(makeNode(NodeRecords[RootRecord], T, None, ThreadEnd[T]));
  R.Nodes.back().Kind = LOOPSCOPE_KIND_ROOT;
  R.Nodes.back().InclusiveNs = R.Threads[T].LifetimeNs;
  for (uint32_t At = 0; At < Queue.size(); ++At) {
    Source From = Queue[At];
    auto Children = ChildrenOf.find(NodeRecords[From.Record].Index);
    if (Children == ChildrenOf.end() || From.Depth == MaxTreeDepth)
      continue;
    uint32_t Parent = First + At;
    OpenStep Step;
    if (R.Nodes[Parent].Kind == LOOPSCOPE_KIND_STEP)
      Step = openStep(NodeRecords[From.Record], Children->second);
    for (uint32_t Child : Children->second) {
      if (NodeRecords[Child].Node.depth != From.Depth + 1)
        continue; // damaged
      uint64_t OpenUntil = From.OpenUntil;
      if (NodeRecords[Child].Node.kind == LOOPSCOPE_KIND_BATCH)
        OpenUntil = std::min(OpenUntil, Step.BatchUntil);
      if (isCut(NodeRecords[Child].Node))
        OpenUntil = ThreadEnd[T];
      Node Next = makeNode(NodeRecords[Child], T, Parent, OpenUntil);
      if (Next.Kind == LOOPSCOPE_KIND_DRAW)
        Next.InclusiveNs = saturatingAdd(Next.InclusiveNs, Step.DrawnNs);
      R.Nodes[Parent].Children.push_back(static_cast<uint32_t>(R.Nodes.size()));
      NodeOf.emplace(NodeRecords[Child].Index, R.Nodes.size());
      R.Nodes.push_back(std::move(Next));
      Queue.push_back({Child, From.Depth + 1, OpenUntil});
    }
  }
}

uint32_t Reader::anyNode(uint32_t InFile) const {
  for (const auto *Indices : {&NodeOf, &RootOf})
    if (auto Found = Indices->find(InFile); Found != Indices->end())
      return Found->second;
  return None;
}

// Whether N is a phase or function inside another. Communication and waits
// count wherever they are.
bool Reader::isNested(const Node &N) const {
  auto IsWork = [](const Node &Each) {
    return Each.Kind == LOOPSCOPE_KIND_PHASE || isFunction(Each.Kind);
  };
  if (!IsWork(N) || isExchange(R.useOf(N)))
    return false;
  uint32_t Up = N.Parent;
  while (Up != None && !IsWork(R.Nodes[Up]))
    Up = R.Nodes[Up].Parent;
  return Up != None;
}

TimelineIndices Reader::timelineIndices(bool Nested) const {
  TimelineIndices Result;
  for (uint32_t T = 0; T < ThreadRecords.size(); ++T)
    Result.ThreadOf.emplace(ThreadRecords[T].Index, T);
  Result.NodeOf = NodeOf;
  if (!Nested)
    std::erase_if(Result.NodeOf, [&](const auto &Each) {
      return isNested(R.Nodes[Each.second]);
    });
  Result.Ends = ThreadEnd;
  return Result;
}

GpuIndices Reader::gpuIndices() const {
  GpuIndices Result{NodeOf, {}};
  Result.NodeOf.insert(RootOf.begin(), RootOf.end());
  for (uint32_t T = 0; T < ThreadRecords.size(); ++T)
    Result.ThreadOf.emplace(ThreadRecords[T].Index, T);
  return Result;
}

Result<Run> loopscope::readProfile(std::span<const std::byte> Bytes,
                                   const std::string &Name, WithTimeline Events,
                                   std::shared_ptr<const OpenFile> File) {
  if (Bytes.empty())
    return Error{fmt::format("{}: is empty", Name)};
  Result<ProfileBytes> Records =
      ProfileBytes::parse(Bytes, Name, std::move(File));
  if (!Records)
    return Records.error();
  return Reader(std::move(*Records), Name).read(Events);
}

Result<Run> loopscope::readProfile(const std::string &Path,
                                   WithTimeline Events) {
  Result<OpenProfile> Opened = openProfileBytes(Path);
  if (!Opened)
    return Opened.error();
  Result<Run> R = readProfile(
      Opened->Bytes, Path, Events,
      Events.Newest == SIZE_MAX ? nullptr : fileOfBytes(*Opened, Path));
  if (!R)
    return R;
  R->Parts = std::move(Opened->Parts);
  // A program makes its file longer, and then its header says so. Bytes that
  // are there by now are newer than what was opened, not missing.
  std::error_code Failed; // of a rank in a merged file
  auto Size = std::filesystem::file_size(Path, Failed);
  if (!Failed && Size >= Opened->Bytes.size() + R->Lost.BytesMissing)
    R->Lost.BytesMissing = 0;
  return R;
}
