// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spans of threads, cut into steps.

#include "Analysis/Steps/StepTimeline.h"

#include "Analysis/Tree/PathTree.h"
#include "Run/Combine/SelectThread.h"
#include "Run/Model/Stages.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

using namespace loopscope;

namespace {
using Pieces = std::vector<TimelinePiece>;

// Cuts inner pieces out of the ones around them.
Pieces flattened(Pieces In) {
  Pieces Out;
  Pieces Open; // what is left of them, the innermost last
  auto Emit = [&](const TimelinePiece &From, int64_t Until) {
    if (Until <= From.StartNs)
      return;
    Out.push_back(From);
    Out.back().EndNs = Until;
  };
  auto CloseUntil = [&](int64_t Time) {
    while (!Open.empty() && Open.back().EndNs <= Time) {
      TimelinePiece Closed = std::move(Open.back());
      Open.pop_back();
      Emit(Closed, Closed.EndNs);
      if (!Open.empty())
        Open.back().StartNs = std::max(Open.back().StartNs, Closed.EndNs);
    }
  };
  for (TimelinePiece &Next : In) {
    CloseUntil(Next.StartNs);
    if (!Open.empty()) {
      Emit(Open.back(), Next.StartNs);
      Open.back().StartNs = std::max(Open.back().StartNs, Next.StartNs);
      Next.EndNs = std::min(Next.EndNs, Open.back().EndNs);
    }
    Open.push_back(std::move(Next));
  }
  CloseUntil(INT64_MAX);
  return Out;
}

// The part of PIECES in [START, END).
Pieces clipped(const Pieces &From, int64_t Start, int64_t End) {
  auto At = std::lower_bound(From.begin(), From.end(), Start,
                             [](const TimelinePiece &Each, int64_t Time) {
                               return Each.EndNs <= Time;
                             });
  Pieces Result;
  for (; At != From.end() && At->StartNs < End; ++At) {
    Result.push_back(*At);
    Result.back().StartNs = std::max(At->StartNs, Start);
    Result.back().EndNs = std::min(At->EndNs, End);
  }
  return Result;
}

// Fills the gaps between pieces.
Pieces withRest(const Pieces &From, int64_t Start, int64_t End) {
  Pieces Result;
  int64_t At = Start;
  auto Rest = [&](int64_t Until) {
    if (Until > At)
      Result.push_back({"(rest)", PieceKind::Rest, At, Until});
  };
  for (const TimelinePiece &Each : From) {
    Rest(Each.StartNs);
    Result.push_back(Each);
    At = Each.EndNs;
  }
  Rest(End);
  return Result;
}

// Whether the kind gives a run its structure, as opposed to doing something in
// it.
bool isStructure(loopscope_kind Kind) {
  return Kind != LOOPSCOPE_KIND_PHASE && !isFunction(Kind) &&
         Kind != LOOPSCOPE_KIND_DRAW && Kind != LOOPSCOPE_KIND_WAIT &&
         Kind != LOOPSCOPE_KIND_COLLECTIVE;
}

// Of one node: what it is in. Functions and operators hide no phase that they
// contain.
struct Around {
  bool Phase = false;
  bool Function = false;

  bool hides(loopscope_kind Kind) const {
    return Phase || (Function && isFunction(Kind));
  }
  void add(loopscope_kind Kind) {
    (isFunction(Kind) ? Function : Phase) = true;
  }
};

// By node: whether it is the outermost on its call path that does something, or
// a wait inside that.
std::vector<bool> outermostWork(const Run &R) {
  std::vector<Around> Within(R.Nodes.size()); // of what is below it
  std::vector<bool> Result(R.Nodes.size(), false);
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (N.Parent != None)
      Within[I] = Within[N.Parent];
    Result[I] = N.Kind == LOOPSCOPE_KIND_WAIT ||
                (!isStructure(N.Kind) && !Within[I].hides(N.Kind));
    if (Result[I])
      Within[I].add(N.Kind);
  }
  return Result;
}

// By node: whether it is its step's draw, the outermost in its batch, or a
// phase in functions of that.
std::vector<bool> partsOfSteps(const Run &R) {
  std::vector<Around> Within(R.Nodes.size()); // of what is below it
  std::vector<bool> InBatch(R.Nodes.size(), false);
  std::vector<bool> Result(R.Nodes.size(), false);
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    InBatch[I] = N.Kind == LOOPSCOPE_KIND_BATCH ||
                 (N.Parent != None && InBatch[N.Parent]);
    if (N.Kind == LOOPSCOPE_KIND_BATCH || !InBatch[I]) {
      Result[I] = N.Kind == LOOPSCOPE_KIND_DRAW;
      continue;
    }
    Within[I] = Within[N.Parent];
    Result[I] = N.Kind == LOOPSCOPE_KIND_DRAW || !Within[I].hides(N.Kind);
    Within[I].add(N.Kind);
  }
  return Result;
}

TimelinePiece pieceOf(const Run &R, const TimelineSpan &S) {
  const Node &N = R.Nodes[S.Node];
  return {treeName(R, N),
          N.Kind == LOOPSCOPE_KIND_DRAW   ? PieceKind::Draw
          : N.Kind == LOOPSCOPE_KIND_WAIT ? PieceKind::Wait
                                          : PieceKind::Work,
          S.StartNs, S.EndNs};
}

// The node of the step that N is a part of.
uint32_t stepOf(const Run &R, const Node &N) {
  uint32_t Parent = N.Parent;
  while (Parent != None && R.Nodes[Parent].Kind != LOOPSCOPE_KIND_STEP)
    Parent = R.Nodes[Parent].Parent;
  return Parent;
}

const std::string &processOf(const Run &R, const Node &N) {
  return R.Threads[N.Thread].Process;
}

// NAME, preceded by its process; a path loses its directories.
std::string inProcess(const std::string &Process, const std::string &Name) {
  return Process.empty() ? Name : std::string(fileName(Process)) + " " + Name;
}

class TimelineBuilder {
public:
  explicit TimelineBuilder(const Run &R) : R(R), IsPart(partsOfSteps(R)) {}
  StepTimeline build(size_t Wanted);

private:
  struct Place {
    size_t Thread;
    size_t Span;
  };
  size_t stepsOfRun(const std::string &Process) const;
  void findSteps(size_t Wanted);
  void addOwnTrack(TimelineStep &To, const Place &At) const;
  void addOthers();
  std::string trackName(size_t Thread) const;

  const Run &R;
  std::vector<bool> IsPart; // of its step, by node
  std::vector<Place> Places;
  StepTimeline Result;
};
} // namespace

int64_t TimelineTrack::busyNs() const {
  int64_t Sum = 0;
  for (const TimelinePiece &Each : Pieces)
    if (Each.Kind != PieceKind::Rest && Each.Kind != PieceKind::Wait)
      Sum = saturatingAdd(Sum, Each.EndNs - Each.StartNs);
  return Sum;
}

bool loopscope::isTrainingStep(const Run &R, const Node &N) {
  return N.Kind == LOOPSCOPE_KIND_STEP && N.Parent != None &&
         R.Nodes[N.Parent].Kind == LOOPSCOPE_KIND_TRAIN;
}

bool loopscope::hasTrainingSteps(const Run &R) {
  return std::ranges::any_of(
      R.Nodes, [&](const Node &N) { return isTrainingStep(R, N); });
}

std::vector<size_t> loopscope::stepsOf(const Run &R,
                                       const std::vector<TimelineSpan> &Track) {
  std::vector<size_t> Steps;
  // Spans are sorted by start, so a BATCH belongs to the last STEP of the node
  // above it.
  std::unordered_map<uint32_t, size_t> Last;
  for (size_t I = 0; I < Track.size(); ++I) {
    const Node &N = R.Nodes[Track[I].Node];
    if (N.Kind == LOOPSCOPE_KIND_STEP && Track[I].Step >= 0) {
      Last[Track[I].Node] = I;
      if (Track[I].Open)
        Steps.push_back(I); // may be drawing still
    } else if (N.Kind == LOOPSCOPE_KIND_BATCH) {
      auto Step = Last.find(N.Parent);
      if (Step == Last.end())
        continue;
      if (!Track[Step->second].Open)
        Steps.push_back(Step->second);
      Last.erase(Step);
    }
  }
  std::sort(Steps.begin(), Steps.end());
  return Steps;
}

std::map<uint32_t, std::string>
loopscope::loopNames(const Run &R, const std::set<uint32_t> &Steps) {
  auto LoopOf = [&](uint32_t Step) -> const Node & {
    return R.Nodes[R.Nodes[Step].Parent];
  };
  std::set<std::string> Processes;
  std::map<std::string, std::set<uint32_t>> SitesOf;
  for (uint32_t Step : Steps) {
    Processes.insert(processOf(R, R.Nodes[Step]));
    SitesOf[treeName(R, LoopOf(Step))].insert(LoopOf(Step).Site);
  }
  std::map<uint32_t, std::string> Names;
  for (uint32_t Step : Steps) {
    const Node &Loop = LoopOf(Step);
    std::string Name = treeName(R, Loop);
    if (SitesOf[Name].size() > 1 && Loop.Site != None)
      Name += fmt::format(" {}:{}", R.Sites[Loop.Site].Function,
                          R.Sites[Loop.Site].Line);
    Names[Step] =
        Processes.size() > 1 ? inProcess(processOf(R, Loop), Name) : Name;
  }
  return Names;
}

Error loopscope::noSteps(const Run &R) {
  return Error{fmt::format("{}: its timeline has no step of a train or valid "
                           "loop; loopscope export --to perfetto shows its "
                           "spans",
                           R.Path)};
}

bool loopscope::isStepPart(const Run &R, const Node &N) {
  return N.Kind == LOOPSCOPE_KIND_DRAW ||
         (N.Parent != None && R.Nodes[N.Parent].Kind == LOOPSCOPE_KIND_BATCH);
}

// Steps that all threads of PROCESS have begun.
size_t TimelineBuilder::stepsOfRun(const std::string &Process) const {
  size_t Sum = 0;
  for (const Node &N : R.Nodes)
    if (N.Kind == LOOPSCOPE_KIND_STEP && R.Threads[N.Thread].Process == Process)
      Sum += N.Spans.count() + N.Open;
  return Sum;
}

void TimelineBuilder::findSteps(size_t Wanted) {
  const std::string *Process = nullptr;
  for (size_t T = 0; T < R.Timeline.size(); ++T) {
    if (Process && R.Threads[T].Process != *Process)
      continue;
    for (size_t Span : stepsOf(R, R.Timeline[T])) {
      Places.push_back({T, Span});
      Process = &R.Threads[T].Process;
    }
  }
  if (!Process)
    return;
  Result.Process = *Process;
  std::set<uint32_t> Nodes;
  for (const Place &At : Places)
    Nodes.insert(R.Timeline[At.Thread][At.Span].Node);
  std::map<uint32_t, std::string> Loops = loopNames(R, Nodes);
  Result.SeveralLoops =
      std::any_of(Loops.begin(), Loops.end(), [&](const auto &Each) {
        return Each.second != Loops.begin()->second;
      });
  auto Start = [&](const Place &At) {
    return R.Timeline[At.Thread][At.Span].StartNs;
  };
  std::stable_sort(
      Places.begin(), Places.end(),
      [&](const Place &A, const Place &B) { return Start(A) < Start(B); });
  if (Wanted != 0 && Places.size() > Wanted)
    Places.erase(Places.begin(), Places.end() - static_cast<ptrdiff_t>(Wanted));
  // In a live run, the tree may be behind the timeline.
  Result.HiddenSteps =
      std::max(stepsOfRun(*Process), Places.size()) - Places.size();
  for (const Place &At : Places) {
    const TimelineSpan &S = R.Timeline[At.Thread][At.Span];
    Result.Steps.push_back(
        {Loops[S.Node], S.Step, S.StartNs, S.EndNs, S.Open, {}});
    addOwnTrack(Result.Steps.back(), At);
  }
}

void TimelineBuilder::addOwnTrack(TimelineStep &To, const Place &At) const {
  const std::vector<TimelineSpan> &Spans = R.Timeline[At.Thread];
  uint32_t Step = Spans[At.Span].Node;
  Pieces Parts;
  for (size_t I = At.Span + 1; I < Spans.size() && Spans[I].StartNs < To.EndNs;
       ++I) {
    const Node &N = R.Nodes[Spans[I].Node];
    if (N.IsCut || ((IsPart[Spans[I].Node] || N.Kind == LOOPSCOPE_KIND_WAIT) &&
                    stepOf(R, N) == Step))
      Parts.push_back(pieceOf(R, Spans[I]));
  }
  To.Tracks.push_back(
      {trackName(At.Thread),
       withRest(clipped(flattened(std::move(Parts)), To.StartNs, To.EndNs),
                To.StartNs, To.EndNs)});
}

std::string TimelineBuilder::trackName(size_t Thread) const {
  const std::string &Process = R.Threads[Thread].Process;
  std::string Name = threadName(R.Threads[Thread]);
  bool IsAmbiguous = false;
  for (size_t T = 0; T < R.Threads.size(); ++T)
    IsAmbiguous |= T != Thread && threadName(R.Threads[T]) == Name &&
                   R.Threads[T].Process == Process;
  if (IsAmbiguous)
    Name += fmt::format(" {}", R.Threads[Thread].Tid);
  return inProcess(Process, Name);
}

// The other threads: what they did, at the outermost level.
void TimelineBuilder::addOthers() {
  if (Result.Steps.empty())
    return;
  std::vector<bool> IsWork = outermostWork(R);
  int64_t From = Result.Steps.front().StartNs;
  int64_t Until = 0;
  for (const TimelineStep &S : Result.Steps)
    Until = std::max(Until, S.EndNs);
  for (size_t T = 0; T < R.Timeline.size(); ++T) {
    Pieces Work;
    for (const TimelineSpan &S : R.Timeline[T])
      if (S.EndNs > From && S.StartNs < Until && IsWork[S.Node])
        Work.push_back(pieceOf(R, S));
    if (!Work.empty())
      addTrack(Result, trackName(T), std::move(Work));
  }
}

StepTimeline TimelineBuilder::build(size_t Wanted) {
  findSteps(Wanted);
  addOthers();
  return std::move(Result);
}

StepTimeline loopscope::lastSteps(const Run &R, size_t Steps) {
  return TimelineBuilder(R).build(Steps);
}

void loopscope::addTrack(StepTimeline &To, const std::string &Name,
                         std::vector<TimelinePiece> Pieces) {
  std::vector<TimelinePiece> Flat = flattened(std::move(Pieces));
  for (TimelineStep &S : To.Steps) {
    if (S.Tracks[0].Name == Name)
      continue; // the step's own thread
    std::vector<TimelinePiece> Part = clipped(Flat, S.StartNs, S.EndNs);
    if (!Part.empty())
      S.Tracks.push_back({Name, std::move(Part)});
  }
}
