// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts spans and waiting calls into pieces of threads, and device work into
// pieces of streams; every query is a binary search.

#include "Analysis/Path/PathLanes.h"

#include "Analysis/Device/GpuRows.h"
#include "Analysis/Device/GpuTimeline.h"
#include "Analysis/Tree/PathTree.h"
#include "Run/Model/Stages.h"

#include <algorithm>
#include <set>

using namespace loopscope;

namespace {
// Whether spans of a kind wait for other threads.
bool waits(loopscope_kind Kind) {
  return Kind == LOOPSCOPE_KIND_DRAW || Kind == LOOPSCOPE_KIND_WAIT;
}

// A span, or a call that waits, that pieces are being cut from.
struct OpenSpan {
  int64_t EndNs;
  uint32_t Name; // None: in no phase
  uint32_t Event;
  PathPiece::Use What;
  bool IsPhase; // that has ended
};

// Cuts spans into pieces. Spans come sorted by start, outer ones first.
class Cutter {
public:
  Cutter(std::vector<PathPiece> &To, uint32_t Lane, PathEnds &Ends)
      : To(To), Lane(Lane), Ends(Ends) {}

  void begin(int64_t StartNs, OpenSpan Next) {
    closeUntil(StartNs);
    // Nothing begins inside a call; in a damaged file, the call ends there.
    while (!Open.empty() && Open.back().What == PathPiece::Use::Wait) {
      emit(StartNs);
      Open.pop_back();
    }
    if (!Open.empty())
      Next.EndNs = std::min(Next.EndNs, Open.back().EndNs);
    if (Next.EndNs <= StartNs)
      return;
    if (!Open.empty()) {
      emit(StartNs);
      if (Next.What == PathPiece::Use::Wait)
        Next.Name = Open.back().Name;
    }
    At = std::max(At, StartNs);
    Open.push_back(Next);
  }

  void closeUntil(int64_t Ns) {
    while (!Open.empty() && Open.back().EndNs <= Ns) {
      int64_t End = Open.back().EndNs;
      emit(End);
      if (Open.back().IsPhase && !To.empty() && To.back().EndNs == End)
        Ends.add({Lane, static_cast<uint32_t>(To.size() - 1), End});
      Open.pop_back();
    }
  }

private:
  void emit(int64_t Until) {
    if (Until <= At)
      return;
    const OpenSpan &From = Open.back();
    if (From.Name != None || From.What == PathPiece::Use::Wait)
      To.push_back({At, Until,
                    From.Name == None ? PathLanes::NoPhase : From.Name,
                    From.Event, From.What});
    At = Until;
  }

  std::vector<PathPiece> &To;
  uint32_t Lane;
  PathEnds &Ends;
  std::vector<OpenSpan> Open;
  int64_t At = INT64_MIN; // where the next piece begins
};
} // namespace

void PathEnds::sort() {
  std::stable_sort(Ends.begin(), Ends.end(), [](const End &A, const End &B) {
    return A.Place.Ns < B.Place.Ns;
  });
  for (size_t I = 0; I < Ends.size(); ++I)
    Ends[I].Other = I == 0 ? SIZE_MAX
                    : Ends[I - 1].Place.Lane != Ends[I].Place.Lane
                        ? I - 1
                        : Ends[I - 1].Other;
}

size_t PathEnds::firstAfter(int64_t Ns) const {
  return static_cast<size_t>(std::upper_bound(Ends.begin(), Ends.end(), Ns,
                                              [](int64_t At, const End &E) {
                                                return At < E.Place.Ns;
                                              }) -
                             Ends.begin());
}

std::optional<PathPlace> PathEnds::lastOf(int64_t After, int64_t Until,
                                          uint32_t Except) const {
  size_t At = firstAfter(Until);
  if (At-- == 0)
    return std::nullopt;
  if (Ends[At].Place.Lane == Except)
    At = Ends[At].Other;
  return At == SIZE_MAX || Ends[At].Place.Ns <= After
             ? std::nullopt
             : std::optional(Ends[At].Place);
}

PathLanes::PathLanes(const Run &R) : R(R) {
  intern("(no phase)");
  nameNodes();
  std::vector<std::vector<uint32_t>> Waits(R.Threads.size());
  for (uint32_t I = 0; I < R.Gpu.Events.size(); ++I) {
    const GpuEvent &E = R.Gpu.Events[I];
    if (E.isDeviceWork())
      continue;
    if (E.Kind == LOOPSCOPE_GPU_WAIT_CALL && E.Thread != None)
      Waits[E.Thread].push_back(I);
    // Calls of threads that recorded no span have the node of another thread.
    uint32_t Thread =
        E.Thread == None && E.Node != None ? R.Nodes[E.Node].Thread : E.Thread;
    if (E.Correlation != 0 && Thread != None)
      CallOf[callKey(processOf(R.Threads[Thread].Process), E.Correlation)] = I;
  }
  Lanes.resize(R.Threads.size());
  Draws.resize(R.Threads.size());
  for (uint32_t T = 0; T < R.Threads.size(); ++T)
    addThread(T, Waits[T]);
  addStreams();
  for (OfProcess &Each : Processes) {
    Each.Phases.sort();
    Each.Work.sort();
  }
  for (auto &[Device, Ends] : DeviceEnds)
    Ends.sort();
}

uint32_t PathLanes::intern(const std::string &Name) {
  auto [At, IsNew] =
      NameOf.try_emplace(Name, static_cast<uint32_t>(Names.size()));
  if (IsNew)
    Names.push_back(Name);
  return At->second;
}

uint32_t PathLanes::processOf(const std::string &Name) {
  auto [At, IsNew] =
      ProcessOf.try_emplace(Name, static_cast<uint32_t>(Processes.size()));
  if (IsNew)
    Processes.emplace_back();
  return At->second;
}

// A step's time outside its phases belongs to the batch, a function's to the
// phase around it. What loops and stages do outside steps belongs to nobody.
void PathLanes::nameNodes() {
  NodeNames.assign(R.Nodes.size(), None);
  IsDraw.assign(R.Nodes.size(), false);
  std::vector<bool> InStep(R.Nodes.size());
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (N.Parent == None)
      continue;
    InStep[I] = InStep[N.Parent] || N.Kind == LOOPSCOPE_KIND_STEP;
    bool IsPart = N.Kind == LOOPSCOPE_KIND_PHASE || waits(N.Kind);
    IsDraw[I] = waits(N.Kind) || (isFunction(N.Kind) && IsDraw[N.Parent]);
    if (isFunction(N.Kind))
      NodeNames[I] = NodeNames[N.Parent];
    else if (N.Kind == LOOPSCOPE_KIND_STEP)
      NodeNames[I] = intern("batch");
    else if (IsPart || InStep[I])
      NodeNames[I] = intern(treeName(R, N));
  }
}

void PathLanes::addThread(uint32_t Thread, const std::vector<uint32_t> &Waits) {
  static const std::vector<TimelineSpan> NoSpans;
  const std::vector<TimelineSpan> &Spans =
      Thread < R.Timeline.size() ? R.Timeline[Thread] : NoSpans;
  PathLane &To = Lanes[Thread];
  To.Process = processOf(R.Threads[Thread].Process);
  Cutter Cut(To.Pieces, Thread, Processes[To.Process].Phases);
  size_t Next = 0;
  auto WaitsUntil = [&](int64_t Ns) {
    for (; Next < Waits.size() && R.Gpu.Events[Waits[Next]].StartNs < Ns;
         ++Next) {
      const GpuEvent &E = R.Gpu.Events[Waits[Next]];
      Cut.begin(E.StartNs,
                {E.EndNs, None, Waits[Next], PathPiece::Use::Wait, false});
    }
  };
  for (const TimelineSpan &Span : Spans) {
    WaitsUntil(Span.StartNs);
    loopscope_kind Kind = R.Nodes[Span.Node].Kind;
    if (waits(Kind))
      Draws[Thread].push_back(Span.StartNs);
    Cut.begin(Span.StartNs,
              {Span.EndNs, NodeNames[Span.Node], None,
               IsDraw[Span.Node] ? PathPiece::Use::Draw : PathPiece::Use::Work,
               Kind == LOOPSCOPE_KIND_PHASE && !Span.Open});
  }
  WaitsUntil(INT64_MAX);
  Cut.closeUntil(INT64_MAX);
}

void PathLanes::addStreams() {
  std::set<uint32_t> Devices;
  for (const DeviceTrack &Track : deviceTracks(R)) {
    auto Lane = static_cast<uint32_t>(Lanes.size());
    PathLane Next;
    Next.Device = Track.Device;
    Next.Process = processOf(R.Gpu.Devices[Track.Device].Process);
    int64_t Done = INT64_MIN; // what overlaps is one after the other
    for (uint32_t Event : Track.Events) {
      const GpuEvent &E = R.Gpu.Events[Event];
      HasWork.insert(callKey(Next.Process, E.Correlation));
      int64_t Start = std::max(E.StartNs, Done);
      if (E.EndNs <= Start)
        continue;
      Done = E.EndNs;
      std::string Phase = E.Node != None && NodeNames[E.Node] != None
                              ? Names[NodeNames[E.Node]]
                              : phaseOf(R, E.Node);
      PathPlace End{Lane, static_cast<uint32_t>(Next.Pieces.size()), E.EndNs};
      Next.Pieces.push_back({Start, E.EndNs, intern(Phase + " (GPU)"), Event,
                             PathPiece::Use::Device});
      Processes[Next.Process].Work.add(End);
      DeviceEnds[Track.Device].add(End);
      if (E.Correlation == 0)
        continue;
      auto [Last, IsNew] =
          LastWorkOf.try_emplace(callKey(Next.Process, E.Correlation), End);
      if (Last->second.Ns < End.Ns)
        Last->second = End;
    }
    OfProcess &Of = Processes[Next.Process];
    ++Of.Streams;
    Of.Devices += Devices.insert(Track.Device).second;
    Lanes.push_back(std::move(Next));
  }
}

uint32_t PathLanes::pieceBefore(uint32_t Lane, int64_t Ns) const {
  const std::vector<PathPiece> &Pieces = Lanes[Lane].Pieces;
  auto At = std::lower_bound(
      Pieces.begin(), Pieces.end(), Ns,
      [](const PathPiece &Each, int64_t To) { return Each.StartNs < To; });
  return At == Pieces.begin() ? None
                              : static_cast<uint32_t>(At - Pieces.begin() - 1);
}

std::optional<PathCause> PathLanes::causeOf(uint32_t Lane, uint32_t Piece,
                                            int64_t Until) const {
  const PathPiece &Wait = Lanes[Lane].Pieces[Piece];
  uint32_t Process = Lanes[Lane].Process;
  const OfProcess &Of = Processes[Process];
  if (Wait.What == PathPiece::Use::Draw) {
    std::optional<PathPlace> Made = Of.Phases.lastOf(Wait.StartNs, Until, Lane);
    return Made ? std::optional(PathCause{*Made, true}) : std::nullopt;
  }
  if (Wait.What != PathPiece::Use::Wait)
    return std::nullopt;
  const GpuEvent &Call = R.Gpu.Events[Wait.Event];
  auto Own = LastWorkOf.find(callKey(Process, Call.Correlation));
  if (Call.Correlation != 0 && Own != LastWorkOf.end() &&
      Own->second.Ns > Wait.StartNs && Own->second.Ns <= Until)
    return PathCause{Own->second, false};
  std::optional<PathPlace> Last = Of.Work.lastOf(Wait.StartNs, Until);
  if (!Last)
    return std::nullopt;
  bool IsKnown = Of.Streams == 1 || (Of.Devices == 1 && Call.WaitsForDevice);
  return PathCause{*Last, !IsKnown};
}

std::optional<PathPlace> PathLanes::launchOf(uint32_t Lane,
                                             uint32_t Piece) const {
  const PathPiece &Work = Lanes[Lane].Pieces[Piece];
  uint32_t Correlation = R.Gpu.Events[Work.Event].Correlation;
  auto Found = CallOf.find(callKey(Lanes[Lane].Process, Correlation));
  if (Correlation == 0 || Found == CallOf.end())
    return std::nullopt;
  const GpuEvent &Call = R.Gpu.Events[Found->second];
  if (Call.StartNs > Work.StartNs)
    return std::nullopt;
  int64_t Ns = std::min(Call.EndNs, Work.StartNs);
  return Call.Thread == None
             ? PathPlace{None, None, Ns}
             : PathPlace{Call.Thread, pieceBefore(Call.Thread, Ns), Ns};
}

std::optional<PathCause> PathLanes::startOf(uint32_t Lane,
                                            uint32_t Piece) const {
  const std::vector<PathPiece> &Pieces = Lanes[Lane].Pieces;
  const PathPiece &Work = Pieces[Piece];
  std::optional<PathCause> Last;
  if (std::optional<PathPlace> Launch = launchOf(Lane, Piece))
    Last = PathCause{*Launch, Launch->Lane == None};
  if (Piece != 0 && (!Last || Pieces[Piece - 1].EndNs >= Last->From.Ns))
    Last = PathCause{{Lane, Piece - 1, Pieces[Piece - 1].EndNs}, false};
  // Streams also wait for each other through events, which aren't recorded.
  if (Last)
    if (std::optional<PathPlace> Other =
            DeviceEnds.at(Lanes[Lane].Device)
                .lastOf(Last->From.Ns, Work.StartNs, Lane))
      return PathCause{*Other, true};
  return Last;
}

bool PathLanes::lacksWork(const GpuEvent &Launch) const {
  return Launch.Correlation != 0 && Launch.Thread != None &&
         !HasWork.contains(
             callKey(Lanes[Launch.Thread].Process, Launch.Correlation));
}

bool PathLanes::drawsIn(uint32_t Lane, int64_t From, int64_t Until) const {
  auto At = std::lower_bound(Draws[Lane].begin(), Draws[Lane].end(), From);
  return At != Draws[Lane].end() && *At <= Until;
}
