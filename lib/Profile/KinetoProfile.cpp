// Host calls of a trace, summed up by call path.
#include "Profile/KinetoProfile.h"

#include "Profile/KinetoCalls.h"
#include "Profile/TraceNumbers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace loopscope {
namespace {

// Sums of squares of nanoseconds need 128 bits.
__extension__ using Wide = unsigned __int128;

// How our own export names a draw, which PyTorch doesn't, and what isn't a
// phase.
constexpr std::string_view OurDraw = "enumerate(DataLoader)#loopscope.__next__";
constexpr std::pair<std::string_view, loopscope_kind> OurAnnotations[] = {
    {"fit", LOOPSCOPE_KIND_FIT},     {"validate", LOOPSCOPE_KIND_VALIDATE},
    {"test", LOOPSCOPE_KIND_TEST},   {"predict", LOOPSCOPE_KIND_PREDICT},
    {"epoch", LOOPSCOPE_KIND_EPOCH}, {"train", LOOPSCOPE_KIND_TRAIN},
    {"valid", LOOPSCOPE_KIND_VALID}, {"batch", LOOPSCOPE_KIND_BATCH}};

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
      Distribution.push_back({bucketTicks(Index), Spans});
    if (Count != 0)
      Out.setDistribution(static_cast<double>(Min), static_cast<double>(Max),
                          std::move(Distribution));
    return Out;
  }
};

class Importer {
public:
  explicit Importer(const KinetoTrace &Trace)
      : Trace(Trace), Links(Trace),
        Calls(buildHostCalls(Trace, Links, CallKinds::Everything)),
        PathOf(Calls.Calls.size(), None) {}

  Profile import() {
    describe();
    findMarks();
    for (uint32_t C = 0; C < Calls.Calls.size(); ++C)
      if (!Calls.Calls[C].Merged)
        place(C);
    finishSteps();
    addUp();
    return std::move(P);
  }

private:
  const TraceEvent &eventOf(uint32_t Call) const {
    return Trace.Events[Calls.Calls[Call].Event];
  }

  void describe() {
    P.Path = Trace.File;
    P.Program = Trace.File;
    P.Rank = static_cast<int>(std::clamp<int64_t>(Trace.Rank, -1, INT32_MAX));
    P.WorldSize =
        static_cast<int>(std::clamp<int64_t>(Trace.WorldSize, 0, INT32_MAX));
    P.Ended = End::Exited;
    P.Lost.BadRecords =
        Trace.Losses.Malformed + Trace.Losses.Negative + Calls.Overlapping;
    P.Lost.BytesMissing = Trace.Losses.TornBytes;
  }

  // Without steps and annotations the outermost operators are the phases.
  void findMarks() {
    for (const TraceEvent &Event : Trace.Events) {
      HasMarks |= Event.Kind == TraceKind::Step || isPhase(Event);
      IsOurs |= Trace.name(Event) == OurDraw;
    }
  }

  // What an annotation of our own export stands for.
  loopscope_kind ourKind(const TraceEvent &Event) const {
    if (IsOurs && Event.Kind == TraceKind::Annotation)
      for (const auto &[Name, Kind] : OurAnnotations)
        if (Trace.name(Event) == Name)
          return Kind;
    return LOOPSCOPE_KIND_PHASE;
  }

  bool isPhase(const TraceEvent &Event) const {
    return (IsOurs && Event.Kind == TraceKind::Operator) ||
           Event.Kind == TraceKind::Annotation ||
           (Event.Kind == TraceKind::Operator &&
            (Trace.name(Event).starts_with("Optimizer.") ||
             isDataLoader(Trace.name(Event))));
  }

  uint32_t site(loopscope_kind Kind, uint32_t Name) {
    auto [At, New] =
        Sites.try_emplace({Kind, Name}, static_cast<uint32_t>(P.Sites.size()));
    if (New) {
      Site Made;
      Made.Kind = Kind;
      Made.Name = Trace.Strings[Name];
      P.Sites.push_back(std::move(Made));
    }
    return At->second;
  }

  // The node for a path below Parent; made when it is new.
  uint32_t child(uint32_t Parent, loopscope_kind Kind, uint32_t Name) {
    auto [At, New] = Paths.try_emplace({Parent, {Kind, Name}},
                                       static_cast<uint32_t>(P.Nodes.size()));
    if (!New)
      return At->second;
    Node Made;
    Made.Parent = Parent;
    Made.Thread = P.Nodes[Parent].Thread;
    Made.Kind = Kind;
    Made.Site = site(Kind, Name);
    P.Nodes[Parent].Children.push_back(At->second);
    P.Nodes.push_back(std::move(Made));
    Sums.emplace_back();
    return At->second;
  }

  uint32_t rootOf(uint32_t Track, const TraceEvent &First) {
    auto [At, New] =
        Threads.try_emplace(Track, static_cast<uint32_t>(P.Threads.size()));
    if (New) {
      Thread Made;
      Made.Name = Trace.Strings[Trace.Tracks[Track].Tid];
      parseWhole(Made.Name, Made.Tid);
      Made.Root = static_cast<uint32_t>(P.Nodes.size());
      P.Threads.push_back(std::move(Made));
      Ranges.emplace_back(First.Start, First.end());
      Node Root;
      Root.Thread = At->second;
      P.Nodes.push_back(std::move(Root));
      Sums.emplace_back();
    }
    auto &[Start, Past] = Ranges[At->second];
    Start = std::min(Start, First.Start);
    Past = std::max(Past, First.end());
    return P.Threads[At->second].Root;
  }

  void place(uint32_t C) {
    const HostCall &Call = Calls.Calls[C];
    const TraceEvent &Event = eventOf(C);
    uint32_t Above = Call.Parent == HostCall::None ? rootOf(Event.Track, Event)
                                                   : PathOf[Call.Parent];
    if (Event.Kind == TraceKind::Step || isOurStep(Event, Above)) {
      placeStep(C, Above);
      return;
    }
    bool InStep =
        Call.Parent != HostCall::None && Draws.count(Call.Parent) != 0;
    if (InStep && isDataLoader(Trace.name(Event))) {
      // The waiting itself is the draw; what runs in it hangs below.
      PathOf[C] = P.Nodes[Above].Children.front();
      Draws[Call.Parent] += Event.Duration;
      return;
    }
    if (InStep)
      Above = P.Nodes[Above].Children.back();
    // Our export writes the batch too; a draw without a length may nest in
    // what starts with it, and the last check of a loop's header is in no step.
    loopscope_kind Kind = ourKind(Event);
    if ((InStep && Kind == LOOPSCOPE_KIND_BATCH) ||
        ((Event.Duration == 0 || !InStep) && Trace.name(Event) == OurDraw)) {
      PathOf[C] = Above;
      return;
    }
    bool IsPhase =
        isPhase(Event) || (!HasMarks && Call.Parent == HostCall::None);
    PathOf[C] =
        child(Above, IsPhase ? Kind : LOOPSCOPE_KIND_FUNCTION, Event.Name);
    Sums[PathOf[C]].add(Event.Duration);
  }

  // Our export calls the steps of loops that don't train "step 3".
  bool isOurStep(const TraceEvent &Event, uint32_t Above) const {
    loopscope_kind Loop = P.Nodes[Above].Kind;
    return IsOurs && Event.Kind == TraceKind::Annotation &&
           (Loop == LOOPSCOPE_KIND_TRAIN || Loop == LOOPSCOPE_KIND_VALID) &&
           Trace.name(Event).starts_with("step ");
  }

  // A step's node has two children: first the draw, then the batch.
  void placeStep(uint32_t C, uint32_t Above) {
    // Our export has the loop around its steps; PyTorch's traces don't.
    bool HasLoop = P.Nodes[Above].Kind == LOOPSCOPE_KIND_TRAIN ||
                   P.Nodes[Above].Kind == LOOPSCOPE_KIND_VALID;
    uint32_t Loop = HasLoop ? Above : child(Above, LOOPSCOPE_KIND_TRAIN, 0);
    uint32_t Step = child(Loop, LOOPSCOPE_KIND_STEP, 0);
    child(Step, LOOPSCOPE_KIND_DRAW, 0);
    child(Step, LOOPSCOPE_KIND_BATCH, 0);
    PathOf[C] = Step;
    Draws[C] += 0;
    if (!HasLoop)
      LoopTimes[{Loop, Calls.Calls[C].Parent}] += eventOf(C).Duration;
    P.Threads[P.Nodes[Loop].Thread].IsMain = true;
  }

  void finishSteps() {
    for (auto [C, Drawn] : Draws) {
      uint32_t Step = PathOf[C];
      int64_t Length = eventOf(C).Duration;
      Sums[Step].add(Length);
      Sums[P.Nodes[Step].Children.front()].add(Drawn);
      Sums[P.Nodes[Step].Children.back()].add(Length - Drawn);
    }
    for (const auto &[LoopAndParent, Ns] : LoopTimes)
      Sums[LoopAndParent.first].add(Ns);
  }

  // The thread with the steps is the main one, else the one that lived longest.
  uint32_t mainThread() {
    uint32_t Main = 0;
    for (uint32_t T = 0; T < P.Threads.size(); ++T) {
      if (P.Threads[T].IsMain) {
        Main = T;
        break;
      }
      if (P.Threads[T].LifetimeNs > P.Threads[Main].LifetimeNs)
        Main = T;
    }
    return Main;
  }

  void addUp() {
    for (size_t N = 0; N < P.Nodes.size(); ++N) {
      P.Nodes[N].Spans = Sums[N].moments();
      P.Nodes[N].FinishedNs = P.Nodes[N].InclusiveNs =
          static_cast<int64_t>(Sums[N].Sum);
    }
    for (size_t T = 0; T < P.Threads.size(); ++T) {
      P.Threads[T].LifetimeNs = Ranges[T].second - Ranges[T].first;
      P.Nodes[P.Threads[T].Root].InclusiveNs = P.Threads[T].LifetimeNs;
    }
    if (!P.Threads.empty()) {
      uint32_t Main = mainThread();
      for (uint32_t T = 0; T < P.Threads.size(); ++T)
        P.Threads[T].IsMain = T == Main;
      P.WallNs = P.Threads[Main].LifetimeNs;
    }
    for (Node &Each : P.Nodes)
      Each.SelfNs += Each.InclusiveNs;
    for (const Node &Each : P.Nodes)
      if (Each.Parent != None)
        P.Nodes[Each.Parent].SelfNs -= Each.InclusiveNs;
  }

  using Identity = std::pair<loopscope_kind, uint32_t>; // kind and name

  const KinetoTrace &Trace;
  KinetoLinks Links;
  HostCalls Calls;
  Profile P;
  bool HasMarks = false;
  bool IsOurs = false;          // written by `loopscope export --to chrome`
  std::vector<uint32_t> PathOf; // by call
  std::vector<SpanSums> Sums;   // by node
  std::map<Identity, uint32_t> Sites;
  std::map<std::pair<uint32_t, Identity>, uint32_t> Paths;
  std::map<uint32_t, uint32_t> Threads; // by track
  std::vector<std::pair<int64_t, int64_t>> Ranges;
  std::map<uint32_t, int64_t> Draws; // by call of a step
  std::map<std::pair<uint32_t, uint32_t>, int64_t> LoopTimes;
};

} // namespace

Profile profileOfTrace(const KinetoTrace &Trace) {
  return Importer(Trace).import();
}

} // namespace loopscope
