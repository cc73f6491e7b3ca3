// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums up the host calls of a trace by call path.

#include "Run/Model/CallTree.h"

#include "Run/Model/HostCalls.h"
#include "Run/Model/KnownNames.h"
#include "Run/Model/LaunchNodes.h"
#include "Run/Model/TraceNumbers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace loopscope {
namespace {

// Sums of squared nanoseconds need 128 bits.
__extension__ using Wide = unsigned __int128;

/// Durations of one node's spans, ns.
struct SpanSums {
  uint64_t Count = 0;
  uint64_t Sum = 0;
  Wide Squares = 0;
  int64_t Min = std::numeric_limits<int64_t>::max();
  int64_t Max = 0;
  std::map<unsigned, uint64_t> Buckets;

  void add(int64_t Ns) {
    auto Length = static_cast<uint64_t>(Ns);
    ++Count;
    Sum += Length;
    Squares += static_cast<Wide>(Length) * Length;
    Min = std::min(Min, Ns);
    Max = std::max(Max, Ns);
    ++Buckets[bucketOf(Length)];
  }

  Moments moments() const {
    Moments Out = Moments::fromSums(Count, Sum, static_cast<uint64_t>(Squares),
                                    static_cast<uint64_t>(Squares >> 64), 1);
    std::vector<Bucket> Distribution;
    for (auto [Index, Spans] : Buckets)
      Distribution.emplace_back(Index, Spans);
    if (Count != 0)
      Out.setDistribution(static_cast<double>(Min), static_cast<double>(Max),
                          std::move(Distribution));
    return Out;
  }
};

class TreeBuilder {
public:
  TreeBuilder(Run &To, EventNodes Wanted)
      : Trace(To.Stream), Links(*To.Stream.Links), R(To) {
    findMarks();
    Calls = buildHostCalls(Trace, Links,
                           Wanted == EventNodes::OfPhases && HasMarks
                               ? CallKinds::Phases
                               : CallKinds::Everything);
    PathOf.assign(Calls.Calls.size(), None);
    HasNode.assign(Calls.Calls.size(), false);
    SpanNs.assign(Calls.Calls.size(), -1);
  }

  void build() {
    findDraws();
    for (uint32_t C = 0; C < Calls.Calls.size(); ++C)
      if (!Calls.Calls[C].Merged)
        place(C);
    for (uint32_t C = 0; C < Calls.Calls.size(); ++C)
      if (SpanNs[C] >= 0)
        Sums[PathOf[C]].add(SpanNs[C]);
    finishSteps();
    addUp();
    R.Lost.OverlappingEvents = Calls.Overlapping;
    R.Lost.Wrong.CutNs = Calls.CutNs;
    R.Lost.HostCuts = Calls.Cuts;
    R.Lost.ClippedFrames = Calls.ClippedFrames;
  }

  std::vector<uint32_t> nodesOfEvents() const {
    std::vector<uint32_t> NodeOf(Trace.Events.size(), None);
    for (uint32_t C = 0; C < Calls.Calls.size(); ++C)
      if (Calls.Calls[C].PartOf == HostCall::None)
        NodeOf[Calls.Calls[C].Event] = PathOf[C];
    std::vector<uint32_t> Nodes =
        nodesOfLaunches(R, Calls, PathOf, mainTrack());
    for (uint32_t I = 0; I < Nodes.size(); ++I) {
      NodeOf[Links.runtimes()[I]] = Nodes[I];
      for (uint32_t Work : Links.launchedBy(I))
        NodeOf[Work] = Nodes[I];
    }
    return NodeOf;
  }

  std::vector<uint32_t> threadsOfTracks() const {
    std::vector<uint32_t> Out(Trace.Tracks.size(), None);
    for (auto [Track, Thread] : Threads)
      Out[Track] = Thread;
    return Out;
  }

  // The calls as spans of threads. A call without a node of its own counts as
  // part of what is around it.
  ThreadLanes lanes() const {
    ThreadLanes Out(R.Threads.size());
    int64_t First = Trace.start();
    for (uint32_t C = 0; C < Calls.Calls.size(); ++C) {
      if (!HasNode[C])
        continue;
      const Node &N = R.Nodes[PathOf[C]];
      bool IsStep = N.Kind == LOOPSCOPE_KIND_STEP;
      TimelineSpan Span;
      Span.Node = PathOf[C];
      Span.StartNs = Calls.Calls[C].Start - First;
      Span.EndNs = endOf(C) - First;
      std::vector<TimelineSpan> &Lane = Out[N.Thread];
      Lane.push_back(Span);
      if (!IsStep)
        continue;
      parseWhole(stepNumber(Trace.name(eventOf(C))), Lane.back().Step = 0);
      // A trace doesn't distinguish the batch from its step.
      Span.Node = N.Children.back();
      Lane.push_back(Span);
    }
    for (std::vector<TimelineSpan> &Lane : Out)
      std::stable_sort(Lane.begin(), Lane.end(), isOuter);
    return Out;
  }

private:
  // Outer spans first; of spans of the same length, the one whose node is
  // above.
  static bool isOuter(const TimelineSpan &A, const TimelineSpan &B) {
    return std::tuple(A.StartNs, -A.EndNs, A.Node) <
           std::tuple(B.StartNs, -B.EndNs, B.Node);
  }

  const TraceEvent &eventOf(uint32_t Call) const {
    return Trace.Events[Calls.Calls[Call].Event];
  }

  int64_t endOf(uint32_t Call) const { return Calls.Calls[Call].end(); }

  // Without steps and annotations, the outermost operators are the phases.
  void findMarks() {
    for (const TraceEvent &Event : Trace.Events)
      HasMarks |= Event.StandsFor != LOOPSCOPE_KIND_ROOT;
  }

  // Waiting for data may be deep inside a step: with Python stacks, functions
  // call the loader, and our own draws may be inside phases. Its time belongs
  // to the draw and is taken out of everything around it. Without any, the
  // trace may lack the loader: its steps have no draws then, not short ones.
  void findDraws() {
    StepAround.assign(Calls.Calls.size(), HostCall::None);
    IsDraw.assign(Calls.Calls.size(), false);
    DrawnIn.assign(Calls.Calls.size(), 0);
    std::vector<bool> InDraw(Calls.Calls.size(), false);
    for (uint32_t C = 0; C < Calls.Calls.size(); ++C) {
      const TraceEvent &Event = eventOf(C);
      uint32_t Above = Calls.Calls[C].Parent;
      if (Above != HostCall::None) {
        InDraw[C] = InDraw[Above] || IsDraw[Above];
        StepAround[C] = isStepCall(Above) ? Above : StepAround[Above];
      }
      if (InDraw[C] || StepAround[C] == HostCall::None ||
          Event.Use != EventUse::Load)
        continue;
      IsDraw[C] = HasDraws = true;
      for (; Above != StepAround[C]; Above = Calls.Calls[Above].Parent)
        DrawnIn[Above] += Calls.Calls[C].HostTotal;
    }
  }

  // By the event alone; whether it is a step of a loop shows in where it is.
  bool isStepCall(uint32_t C) const {
    return eventOf(C).StandsFor == LOOPSCOPE_KIND_STEP;
  }

  uint32_t site(loopscope_kind Kind, uint32_t Name) {
    auto [At, New] =
        Sites.try_emplace({Kind, Name}, static_cast<uint32_t>(R.Sites.size()));
    if (New) {
      Site Made;
      Made.Kind = Kind;
      Made.Name = withoutAddress(Trace.Strings[Name]);
      Made.Use = siteUse(Made.Name);
      R.Sites.push_back(std::move(Made));
    }
    return At->second;
  }

  // One name for the methods of all objects of a kind.
  uint32_t nameOf(const TraceEvent &Event) {
    if (Event.Kind != TraceKind::Function)
      return Event.Name;
    auto [Known, New] = NameOf.try_emplace(Event.Name, Event.Name);
    if (New)
      Known->second =
          FirstOf.try_emplace(withoutAddress(Trace.name(Event)), Event.Name)
              .first->second;
    return Known->second;
  }

  // The node for a path below Parent, created if it is new.
  uint32_t child(uint32_t Parent, loopscope_kind Kind, uint32_t Name) {
    auto [At, New] = Paths.try_emplace({Parent, {Kind, Name}},
                                       static_cast<uint32_t>(R.Nodes.size()));
    if (!New)
      return At->second;
    Node Made;
    Made.Parent = Parent;
    Made.Thread = R.Nodes[Parent].Thread;
    Made.Kind = Kind;
    Made.Site = site(Kind, Name);
    R.Nodes[Parent].Children.push_back(At->second);
    R.Nodes.push_back(std::move(Made));
    Sums.emplace_back();
    return At->second;
  }

  // The number of cycles that began before a time.
  size_t cycleAt(int64_t Time) const {
    auto Next = std::upper_bound(
        Trace.Recorded.begin(), Trace.Recorded.end(), Time,
        [](int64_t At, const Interval &Cycle) { return At < Cycle.Start; });
    return static_cast<size_t>(Next - Trace.Recorded.begin());
  }

  uint32_t rootOf(uint32_t First) {
    uint32_t Track = eventOf(First).Track;
    auto [At, New] =
        Threads.try_emplace(Track, static_cast<uint32_t>(R.Threads.size()));
    if (New) {
      Thread Made;
      Made.Name = Trace.Strings[Trace.Tracks[Track].Tid];
      parseWhole(Made.Name, Made.Tid);
      Made.Root = static_cast<uint32_t>(R.Nodes.size());
      R.Threads.push_back(std::move(Made));
      Node Root;
      Root.Thread = At->second;
      R.Nodes.push_back(std::move(Root));
      Sums.emplace_back();
    }
    return R.Threads[At->second].Root;
  }

  // By thread and cycle, from its first event to its last, whether they have
  // nodes or not, so that all trees of a trace have the same times around their
  // phases. What the profiler didn't record is no thread's time.
  std::vector<std::map<size_t, Interval>> ranges() const {
    std::vector<std::map<size_t, Interval>> Result(R.Threads.size());
    std::vector<uint32_t> ThreadOf = threadsOfTracks();
    for (const TraceEvent &Event : Trace.Events) {
      if (ThreadOf[Event.Track] == None ||
          !takesPart(Event, CallKinds::Everything))
        continue;
      Interval Whole = Event.time();
      Interval &Range = Result[ThreadOf[Event.Track]]
                            .try_emplace(cycleAt(Whole.Start), Whole)
                            .first->second;
      Range.Start = std::min(Range.Start, Whole.Start);
      Range.End = std::max(Range.End, Whole.End);
    }
    return Result;
  }

  void place(uint32_t C) {
    const HostCall &Call = Calls.Calls[C];
    const TraceEvent &Event = eventOf(C);
    uint32_t Above =
        Call.Parent == HostCall::None ? rootOf(C) : PathOf[Call.Parent];
    HasNode[C] = true;
    if (Event.Kind == TraceKind::Step || isOurStep(Event, Above)) {
      placeStep(C, Above);
      return;
    }
    bool InStep =
        Call.Parent != HostCall::None && Draws.count(Call.Parent) != 0;
    if (auto Step = Draws.find(StepAround[C]);
        IsDraw[C] && Step != Draws.end()) {
      // The wait itself is the draw; what runs in it is below.
      PathOf[C] = R.Nodes[PathOf[Step->first]].Children.front();
      Step->second += Call.HostTotal;
      return;
    }
    if (InStep)
      Above = R.Nodes[Above].Children.back();
    // Our export also writes the batch, and the last check of a loop's header,
    // which is in no step.
    if ((InStep && Event.StandsFor == LOOPSCOPE_KIND_BATCH) ||
        Event.StandsFor == LOOPSCOPE_KIND_DRAW) {
      PathOf[C] = Above;
      HasNode[C] = false;
      return;
    }
    PathOf[C] = child(Above, kindOf(C), nameOf(Event));
    addTime(C);
  }

  loopscope_kind kindOf(uint32_t C) const {
    uint8_t Kind = eventOf(C).StandsFor;
    if (Kind != LOOPSCOPE_KIND_ROOT)
      return static_cast<loopscope_kind>(Kind);
    return !HasMarks && Calls.Calls[C].Parent == HostCall::None
               ? LOOPSCOPE_KIND_PHASE
               : LOOPSCOPE_KIND_FUNCTION;
  }

  // Parts of an event on one call path are one span of it; those on others are
  // time without a span.
  void addTime(uint32_t C) {
    const HostCall &Call = Calls.Calls[C];
    int64_t Ns = Call.HostTotal - DrawnIn[C];
    if (Call.PartOf == HostCall::None)
      SpanNs[C] = Ns;
    else if (PathOf[Call.PartOf] == PathOf[C])
      SpanNs[Call.PartOf] += Ns;
    else
      Uncounted[PathOf[C]] += Ns;
  }

  // Our export calls the steps of loops that don't train "step 3".
  bool isOurStep(const TraceEvent &Event, uint32_t Above) const {
    loopscope_kind Loop = R.Nodes[Above].Kind;
    return Event.StandsFor == LOOPSCOPE_KIND_STEP &&
           (Loop == LOOPSCOPE_KIND_TRAIN || Loop == LOOPSCOPE_KIND_VALID);
  }

  // A step's node has its batch as its last child, after the draw if there are
  // draws.
  void placeStep(uint32_t C, uint32_t Above) {
    // Our export has the loop around its steps; PyTorch's traces don't.
    bool HasLoop = R.Nodes[Above].Kind == LOOPSCOPE_KIND_TRAIN ||
                   R.Nodes[Above].Kind == LOOPSCOPE_KIND_VALID;
    uint32_t Loop = HasLoop ? Above : child(Above, LOOPSCOPE_KIND_TRAIN, 0);
    uint32_t Step = child(Loop, LOOPSCOPE_KIND_STEP, 0);
    if (HasDraws)
      child(Step, LOOPSCOPE_KIND_DRAW, 0);
    child(Step, LOOPSCOPE_KIND_BATCH, 0);
    PathOf[C] = Step;
    Draws[C] += 0;
    if (!HasLoop)
      LoopTimes[{Loop, Calls.Calls[C].Parent}] += Calls.Calls[C].HostTotal;
    R.Threads[R.Nodes[Loop].Thread].IsMain = true;
  }

  void finishSteps() {
    for (auto [C, Drawn] : Draws) {
      uint32_t Step = PathOf[C];
      int64_t Length = Calls.Calls[C].HostTotal;
      Sums[Step].add(Length);
      if (HasDraws)
        Sums[R.Nodes[Step].Children.front()].add(Drawn);
      Sums[R.Nodes[Step].Children.back()].add(Length - Drawn);
    }
    for (const auto &[LoopAndParent, Ns] : LoopTimes)
      Sums[LoopAndParent.first].add(Ns);
  }

  // The main thread is the one with the steps or, without steps, the
  // longest-lived one.
  uint32_t mainThread() {
    uint32_t Main = 0;
    for (uint32_t T = 0; T < R.Threads.size(); ++T) {
      if (R.Threads[T].IsMain) {
        Main = T;
        break;
      }
      if (R.Threads[T].LifetimeNs > R.Threads[Main].LifetimeNs)
        Main = T;
    }
    return Main;
  }

  uint32_t mainTrack() const {
    for (auto [Track, Thread] : Threads)
      if (R.Threads[Thread].IsMain)
        return Track;
    return UINT32_MAX;
  }

  void addUp() {
    for (size_t N = 0; N < R.Nodes.size(); ++N) {
      R.Nodes[N].Spans = Sums[N].moments();
      R.Nodes[N].FinishedNs = R.Nodes[N].InclusiveNs =
          static_cast<int64_t>(Sums[N].Sum);
    }
    for (auto [N, Ns] : Uncounted)
      R.Nodes[N].InclusiveNs += Ns;
    std::vector<std::map<size_t, Interval>> Ranges = ranges();
    for (size_t T = 0; T < R.Threads.size(); ++T) {
      for (const auto &[Cycle, Range] : Ranges[T])
        R.Threads[T].LifetimeNs += Range.End - Range.Start;
      R.Nodes[R.Threads[T].Root].InclusiveNs = R.Threads[T].LifetimeNs;
    }
    if (!R.Threads.empty()) {
      uint32_t Main = mainThread();
      for (uint32_t T = 0; T < R.Threads.size(); ++T)
        R.Threads[T].IsMain = T == Main;
      R.WallNs = R.Threads[Main].LifetimeNs;
    }
    for (Node &Each : R.Nodes)
      Each.SelfNs += Each.InclusiveNs;
    for (const Node &Each : R.Nodes)
      if (Each.Parent != None)
        R.Nodes[Each.Parent].SelfNs -= Each.InclusiveNs;
  }

  using Identity = std::pair<loopscope_kind, uint32_t>; // kind and name

  const EventStream &Trace;
  const LaunchLinks &Links;
  HostCalls Calls;
  Run &R;
  bool HasMarks = false;
  std::vector<uint32_t> PathOf; // by call
  std::vector<bool> HasNode;    // by call: PathOf isn't what is around it
  // Names of functions: by that of the event, and by what stands for all.
  std::unordered_map<uint32_t, uint32_t> NameOf;
  std::map<std::string, uint32_t> FirstOf;
  // By call, of the steps' draws.
  std::vector<uint32_t> StepAround; // innermost call of a step, or None
  std::vector<bool> IsDraw;
  bool HasDraws = false;
  std::vector<int64_t> DrawnIn; // ns, below it
  std::vector<int64_t> SpanNs;  // by call; -1: it is no span of its own
  std::vector<SpanSums> Sums;   // by node
  std::map<uint32_t, int64_t> Uncounted; // by node, ns in no span
  std::map<Identity, uint32_t> Sites;
  std::map<std::pair<uint32_t, Identity>, uint32_t> Paths;
  std::map<uint32_t, uint32_t> Threads; // by track
  std::map<uint32_t, int64_t> Draws;    // by call of a step
  std::map<std::pair<uint32_t, uint32_t>, int64_t> LoopTimes;
};

} // namespace

void addTree(Run &To, EventNodes Wanted, ThreadLanes *Lanes) {
  bool HasNodes = To.Stream.NodeOf.size() == To.Stream.Events.size();
  if (!To.By->KeepsEvents ||
      (!Lanes && !To.Nodes.empty() && (Wanted == EventNodes::No || HasNodes)))
    return;
  To.Sites.clear();
  To.Nodes.clear();
  To.Threads.clear();
  if (!To.Stream.Links)
    To.Stream.Links = std::make_shared<LaunchLinks>(To.Stream);
  TreeBuilder Builder(To, Wanted);
  Builder.build();
  if (Wanted != EventNodes::No) {
    To.Stream.NodeOf = Builder.nodesOfEvents();
    To.Stream.ThreadOf = Builder.threadsOfTracks();
  }
  if (Lanes)
    *Lanes = Builder.lanes();
}

} // namespace loopscope
