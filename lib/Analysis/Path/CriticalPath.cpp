// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk along the lanes, and what of it falls into which step.
//
//   spans, calls, device work -> PathLanes -> walk -> parts of steps
//                                          -> PathSlack -> slack by step

#include "Analysis/Path/CriticalPath.h"

#include "Analysis/Path/PathLanes.h"
#include "Analysis/Path/PathSlack.h"
#include "Analysis/Steps/StepTimeline.h"

#include <loopscope/profile_counters.h>

#include <algorithm>
#include <map>
#include <tuple>

using namespace loopscope;

namespace {
// A step of the path's thread.
struct Window {
  int64_t StartNs;
  int64_t EndNs;
  size_t Stage; // in the result
  bool IsWhole; // else it is left out
};

// By node, whether it is an outermost step whose path is wanted.
std::vector<bool> wantedSteps(const Run &R, const Stages &All) {
  std::map<loopscope_kind, bool> HasTraining;
  for (size_t I = 0; I < R.Nodes.size(); ++I)
    HasTraining[All.Of[I]] |= isTrainingStep(R, R.Nodes[I]);
  std::vector<bool> Within(R.Nodes.size()), Wanted(R.Nodes.size());
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    bool Above = N.Parent != None && Within[N.Parent];
    bool IsStep = HasTraining[All.Of[I]] ? isTrainingStep(R, N)
                                         : N.Kind == LOOPSCOPE_KIND_STEP;
    Wanted[I] = IsStep && !Above;
    Within[I] = Above || IsStep;
  }
  return Wanted;
}

// By process, the time since which the timeline is complete (spans of its
// threads and device work), where older events were overwritten or weren't
// read.
std::map<std::string, int64_t> wholeSince(const Run &R) {
  std::map<std::string, int64_t> Since;
  auto Late = [&](const std::string &Process, int64_t Ns) {
    int64_t &At = Since[Process];
    At = std::max(At, Ns);
  };
  auto Lost = [&](loopscope_counter Which) {
    return R.Lost.Counters[static_cast<size_t>(Which)] != 0;
  };
  if (Lost(LOOPSCOPE_COUNT_EVENTS_DROPPED) || R.TimelineIsCut) {
    std::vector<uint64_t> Held(R.Nodes.size());
    for (const std::vector<TimelineSpan> &Track : R.Timeline)
      for (const TimelineSpan &Span : Track)
        ++Held[Span.Node];
    std::vector<bool> HasLost(R.Threads.size());
    for (size_t I = 0; I < R.Nodes.size(); ++I)
      if (Held[I] < R.Nodes[I].Spans.count())
        HasLost[R.Nodes[I].Thread] = true;
    for (size_t T = 0; T < R.Timeline.size(); ++T)
      if (HasLost[T])
        Late(R.Threads[T].Process,
             R.Timeline[T].empty() ? INT64_MAX : R.Timeline[T].front().StartNs);
  }
  if (Lost(LOOPSCOPE_COUNT_GPU_EVENTS_DROPPED) || R.Gpu.EventsAreCut) {
    std::map<std::string, int64_t> First;
    for (const GpuEvent &E : R.Gpu.Events)
      if (E.Device != None)
        First.try_emplace(R.Gpu.Devices[E.Device].Process, E.StartNs);
    for (const auto &[Process, Ns] : First)
      Late(Process, Ns);
  }
  return Since;
}

// The walk for the steps of one thread.
class Walk {
public:
  Walk(const PathLanes &Lanes, uint32_t Own, const std::vector<Window> &Steps,
       std::vector<StagePath> &Result)
      : Lanes(Lanes), Own(Own), Steps(Steps), Result(Result),
        Parts(Steps.size()), Current(Steps.size()) {}

  void run() {
    Lane = Own;
    At = Lanes.all()[Own].Pieces.back().EndNs;
    while (At > Steps.front().StartNs)
      follow();
  }

  /// By step, the names on the path and their times.
  const std::vector<std::map<uint32_t, int64_t>> &parts() const {
    return Parts;
  }

private:
  void follow() {
    uint32_t Piece = Lanes.pieceBefore(Lane, At);
    if (Piece == None)
      return Lane == Own ? onPath(PathLanes::NoPhase, INT64_MIN)
                         : move({Own, None, At}, true);
    const PathPiece &Of = Lanes.all()[Lane].Pieces[Piece];
    if (Of.EndNs < At)
      return followGap(Of.EndNs);
    if (Of.What == PathPiece::Use::Device) {
      onPath(Of.Name, Of.StartNs);
      if (std::optional<PathCause> Start = Lanes.startOf(Lane, Piece)) {
        onPath(Of.Name, Start->From.Ns);
        return move(Start->From, Start->IsGuessed);
      }
      return move({Own, None, At}, true);
    }
    if (std::optional<PathCause> Cause = Lanes.causeOf(Lane, Piece, At)) {
      onPath(Of.Name, Cause->From.Ns);
      return move(Cause->From, Cause->IsGuessed);
    }
    onPath(Of.Name, Of.StartNs);
  }

  // If a thread was in no phase when a draw of one of the steps began, it is
  // assumed to have been waiting for that thread.
  void followGap(int64_t From) {
    if (Lane == Own || !Lanes.drawsIn(Own, From, At))
      onPath(PathLanes::NoPhase, From);
    else
      move({Own, None, At}, true);
  }

  void move(const PathPlace &To, bool IsGuessed) {
    // A thread without a lane launched it, on behalf of the steps' thread.
    uint32_t Next = To.Lane == None ? Own : To.Lane;
    bool IsEdge = Next != Lane;
    Lane = Next;
    if (const Window *Step = IsEdge ? stepAt() : nullptr) {
      ++Result[Step->Stage].Edges;
      Result[Step->Stage].Guessed += IsGuessed;
    }
  }

  // The complete step that ends at the current place or contains it.
  const Window *stepAt() {
    while (Current > 0 && Steps[Current - 1].StartNs >= At)
      --Current;
    if (Current == 0)
      return nullptr;
    const Window &Step = Steps[Current - 1];
    return Step.EndNs >= At && Step.IsWhole ? &Step : nullptr;
  }

  // The path has been at NAME since FROM.
  void onPath(uint32_t Name, int64_t From) {
    From = std::max(From, Steps.front().StartNs);
    while (At > From) {
      const Window *Step = stepAt();
      int64_t Start = From;
      if (Current != 0) {
        const Window &Last = Steps[Current - 1];
        Start = std::max(From, Last.EndNs < At ? Last.EndNs : Last.StartNs);
      }
      if (Step)
        Parts[Current - 1][Name] += At - Start;
      At = Start;
    }
  }

  const PathLanes &Lanes;
  uint32_t Own;
  const std::vector<Window> &Steps;
  std::vector<StagePath> &Result;
  std::vector<std::map<uint32_t, int64_t>> Parts;
  size_t Current; // steps that begin before the place
  uint32_t Lane = 0;
  int64_t At = 0;
};

class PathBuilder {
public:
  PathBuilder(const Run &R, const Stages &All)
      : R(R), All(All), Wanted(wantedSteps(R, All)), Lanes(R),
        Since(wholeSince(R)) {
    for (const Stage &Each : All.List) {
      StagePath Next;
      Next.Stage = Each.Kind;
      Result.push_back(std::move(Next));
    }
    Phases.resize(Result.size());
    for (size_t I = 0; I < R.Nodes.size(); ++I)
      if (Wanted[I])
        Result[stageOf(static_cast<uint32_t>(I))].Begun +=
            R.Nodes[I].Spans.count() + R.Nodes[I].Open;
  }

  std::vector<StagePath> build() {
    std::vector<std::vector<Window>> Steps(R.Timeline.size());
    std::vector<bool> HasSteps(Lanes.all().size());
    for (uint32_t T = 0; T < R.Timeline.size(); ++T) {
      Steps[T] = windowsOf(T);
      HasSteps[T] = !Steps[T].empty();
    }
    Slack = pathSlack(Lanes, HasSteps);
    for (uint32_t T = 0; T < R.Timeline.size(); ++T)
      if (HasSteps[T])
        addThread(T, Steps[T]);
    for (size_t S = 0; S < Result.size(); ++S)
      finish(S);
    return std::move(Result);
  }

private:
  // Sums of a phase over the steps so far.
  struct Sums {
    int64_t OnPathNs = 0;
    size_t OnPathSteps = 0;
    int64_t SlackNs = 0;
    size_t SlackSteps = 0;
  };
  // A phase's part in one step: time on the path, or slack.
  struct Part {
    int64_t OnPathNs = 0;
    int64_t SlackNs = NoSlack;
  };

  size_t stageOf(uint32_t Node) const {
    for (size_t S = 0; S < Result.size(); ++S)
      if (Result[S].Stage == All.Of[Node])
        return S;
    return 0; // every node's stage is in the list
  }

  std::vector<Window> windowsOf(uint32_t Thread) const;
  void addThread(uint32_t Thread, const std::vector<Window> &Steps);
  void addSlack(uint32_t Thread, const std::vector<Window> &Steps,
                std::vector<std::map<uint32_t, Part>> &To) const;
  void finish(size_t Stage);

  const Run &R;
  const Stages &All;
  std::vector<bool> Wanted;
  PathLanes Lanes;
  std::map<std::string, int64_t> Since;
  std::vector<std::vector<int64_t>> Slack; // by lane and piece
  std::vector<StagePath> Result;
  std::vector<std::map<uint32_t, Sums>> Phases; // by stage and name
};

// Steps by start. A step isn't complete if it is open, if it began before the
// timeline is complete, or if work that it launched is missing.
std::vector<Window> PathBuilder::windowsOf(uint32_t Thread) const {
  std::vector<Window> Steps;
  auto From = Since.find(R.Threads[Thread].Process);
  int64_t WholeSince = From == Since.end() ? INT64_MIN : From->second;
  for (size_t I : stepsOf(R, R.Timeline[Thread])) {
    const TimelineSpan &Span = R.Timeline[Thread][I];
    if (!Wanted[Span.Node] || Span.EndNs <= Span.StartNs ||
        (!Steps.empty() && Steps.back().EndNs > Span.StartNs))
      continue;
    Steps.push_back({Span.StartNs, Span.EndNs, stageOf(Span.Node),
                     !Span.Open && Span.StartNs >= WholeSince});
  }
  size_t Step = 0;
  for (const GpuEvent &E : R.Gpu.Events) {
    while (Step < Steps.size() && Steps[Step].EndNs <= E.StartNs)
      ++Step;
    if (Step < Steps.size() && E.StartNs >= Steps[Step].StartNs &&
        E.Kind == LOOPSCOPE_GPU_LAUNCH_CALL && Lanes.lacksWork(E) &&
        R.Threads[E.Thread].Process == R.Threads[Thread].Process)
      Steps[Step].IsWhole = false;
  }
  return Steps;
}

void PathBuilder::addThread(uint32_t Thread, const std::vector<Window> &Steps) {
  Walk Path(Lanes, Thread, Steps, Result);
  Path.run();
  std::vector<std::map<uint32_t, Part>> Parts(Steps.size());
  for (size_t I = 0; I < Steps.size(); ++I)
    for (auto [Name, Ns] : Path.parts()[I])
      Parts[I][Name].OnPathNs = Ns;
  addSlack(Thread, Steps, Parts);
  for (size_t I = 0; I < Steps.size(); ++I) {
    StagePath &Of = Result[Steps[I].Stage];
    if (!Steps[I].IsWhole) {
      ++Of.LeftOut;
      continue;
    }
    ++Of.Steps;
    Of.StepsNs = saturatingAdd(Of.StepsNs, Steps[I].EndNs - Steps[I].StartNs);
    for (const auto &[Name, Each] : Parts[I]) {
      Sums &To = Phases[Steps[I].Stage][Name];
      To.OnPathNs = saturatingAdd(To.OnPathNs, Each.OnPathNs);
      To.OnPathSteps += Each.OnPathNs > 0;
      if (Each.OnPathNs > 0 || Each.SlackNs != NoSlack) {
        To.SlackNs =
            saturatingAdd(To.SlackNs, Each.OnPathNs > 0 ? 0 : Each.SlackNs);
        ++To.SlackSteps;
      }
    }
  }
}

// For each phase that begins in a step, the least slack of its pieces.
void PathBuilder::addSlack(uint32_t Thread, const std::vector<Window> &Steps,
                           std::vector<std::map<uint32_t, Part>> &To) const {
  for (size_t L = 0; L < Slack.size(); ++L) {
    const PathLane &Lane = Lanes.all()[L];
    if (Lane.Process != Lanes.all()[Thread].Process)
      continue;
    size_t Step = 0;
    for (size_t I = 0; I < Lane.Pieces.size(); ++I) {
      const PathPiece &Of = Lane.Pieces[I];
      while (Step < Steps.size() && Steps[Step].EndNs <= Of.StartNs)
        ++Step;
      if (Step == Steps.size())
        break;
      if (Of.StartNs < Steps[Step].StartNs)
        continue;
      Part &Known = To[Step][Of.Name];
      Known.SlackNs = std::min(Known.SlackNs, Slack[L][I]);
    }
  }
}

void PathBuilder::finish(size_t Stage) {
  StagePath &To = Result[Stage];
  for (const auto &[Name, Each] : Phases[Stage]) {
    PathPhase Next{Lanes.names()[Name], Each.OnPathNs, Each.OnPathSteps, {}};
    if (Each.SlackSteps != 0)
      Next.SlackNs = Each.SlackNs / static_cast<int64_t>(Each.SlackSteps);
    To.Phases.push_back(std::move(Next));
  }
  std::stable_sort(To.Phases.begin(), To.Phases.end(),
                   [](const PathPhase &A, const PathPhase &B) {
                     int64_t SlackA = A.SlackNs.value_or(NoSlack);
                     int64_t SlackB = B.SlackNs.value_or(NoSlack);
                     return std::tie(B.OnPathNs, SlackA, A.Name) <
                            std::tie(A.OnPathNs, SlackB, B.Name);
                   });
}
} // namespace

std::vector<StagePath> loopscope::criticalPaths(const Run &R,
                                                const Stages &All) {
  return PathBuilder(R, All).build();
}
