// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps view: a row for every step of the timeline, the slowest first.

#include "Analysis/Steps/StepTimeline.h"
#include "Report/Print/Cells.h"
#include "Report/Print/Fields.h"
#include "Report/Views/View.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

using namespace loopscope;

namespace {
bool contains(const TimelineSpan &Outer, const TimelineSpan &Inner) {
  return Inner.StartNs >= Outer.StartNs && Inner.EndNs <= Outer.EndNs;
}

// A part of a step. Its spans are sorted by start; overlapping time counts
// once.
struct Part {
  int64_t Ns = 0;
  int64_t Until = INT64_MIN; // where the last span so far ends
  const TimelineSpan *Last = nullptr;

  void add(const TimelineSpan &Span, const TimelineSpan &Whole) {
    int64_t From = std::max({Span.StartNs, Until, Whole.StartNs});
    int64_t To = std::min(Span.EndNs, Whole.EndNs);
    if (To <= From)
      return;
    Ns += To - From;
    Until = To;
    Last = &Span;
  }
};

// A step, when it drew, and when it waited otherwise.
struct Step {
  explicit Step(const TimelineSpan &Whole) : Whole(&Whole) {}

  // Time that the profiler deliberately took counts for no step.
  int64_t ns() const { return Whole->EndNs - Whole->StartNs - CutNs; }

  // Cuts come after the draws and waits that contain them.
  void addCut(const TimelineSpan &Cut) {
    if (!contains(*Whole, Cut))
      return;
    CutNs += Cut.EndNs - Cut.StartNs;
    for (Part *Each : {&Draw, &Wait})
      if (Each->Last && contains(*Each->Last, Cut))
        Each->Ns -= Cut.EndNs - Cut.StartNs;
  }

  const TimelineSpan *Whole;
  Part Draw, Wait;
  int64_t CutNs = 0;
};

// Per node, the innermost STEP around it.
std::vector<uint32_t> stepsAround(const Run &R) {
  std::vector<uint32_t> Around(R.Nodes.size(), None);
  for (size_t I = 0; I < R.Nodes.size(); ++I)
    if (uint32_t Parent = R.Nodes[I].Parent; Parent != None)
      Around[I] =
          R.Nodes[Parent].Kind == LOOPSCOPE_KIND_STEP ? Parent : Around[Parent];
  return Around;
}

// Whether a part of a step is in one of its draws.
bool isInDraw(const Run &R, uint32_t Part) {
  for (uint32_t I = R.Nodes[Part].Parent; I != None; I = R.Nodes[I].Parent)
    if (R.Nodes[I].Kind == LOOPSCOPE_KIND_DRAW)
      return true;
    else if (R.Nodes[I].Kind == LOOPSCOPE_KIND_STEP)
      break;
  return false;
}

// Adds the steps of a thread, by start.
void addSteps(const Run &R, const std::vector<TimelineSpan> &Track,
              const std::vector<uint32_t> &Around, std::vector<Step> &To) {
  size_t Next = To.size();
  for (size_t Span : stepsOf(R, Track))
    To.emplace_back(Track[Span]);
  // Spans are sorted by start, so a part belongs to the last step of its node,
  // if that is one: what follows a loop's last draw isn't.
  std::unordered_map<uint32_t, Step *> Last;
  for (const TimelineSpan &Span : Track) {
    loopscope_kind Kind = R.Nodes[Span.Node].Kind;
    if (Kind == LOOPSCOPE_KIND_STEP)
      Last[Span.Node] =
          Next < To.size() && To[Next].Whole == &Span ? &To[Next++] : nullptr;
    else if (Kind == LOOPSCOPE_KIND_DRAW ||
             (Kind == LOOPSCOPE_KIND_WAIT && !isInDraw(R, Span.Node)))
      if (auto Of = Last.find(Around[Span.Node]);
          Of != Last.end() && Of->second)
        (Kind == LOOPSCOPE_KIND_DRAW ? Of->second->Draw : Of->second->Wait)
            .add(Span, *Of->second->Whole);
    if (R.Nodes[Span.Node].IsCut)
      for (const auto &[Node, Of] : Last)
        if (Of)
          Of->addCut(Span);
  }
}

std::vector<Step> slowestFirst(const Run &R) {
  std::vector<uint32_t> Around = stepsAround(R);
  std::vector<Step> Steps;
  for (const std::vector<TimelineSpan> &Track : R.Timeline)
    addSteps(R, Track, Around, Steps);
  std::stable_sort(
      Steps.begin(), Steps.end(), [](const Step &A, const Step &B) {
        return A.ns() != B.ns() ? A.ns() > B.ns()
                                : A.Whole->StartNs < B.Whole->StartNs;
      });
  return Steps;
}

// Samples per step, by the steps' node; 0 if they differ, or if a step has
// none.
std::map<uint32_t, uint64_t> samplesPerStep(const Run &R,
                                            const std::vector<Step> &Steps) {
  std::map<uint32_t, uint64_t> Samples;
  for (const Step &Each : Steps) {
    const Node &N = R.Nodes[Each.Whole->Node];
    bool AreEqual = N.EqualSamples && N.RateCount == N.Spans.count();
    Samples[Each.Whole->Node] =
        AreEqual && N.RateCount != 0 ? N.Samples / N.RateCount : 0;
  }
  return Samples;
}

std::string titleOf(const Stage &S, bool IsOnly) {
  if (IsOnly)
    return "Steps";
  return S.Kind == LOOPSCOPE_KIND_ROOT ? "Steps outside all stages"
                                       : "Steps of stage " + S.Id;
}

class StepsTables {
public:
  explicit StepsTables(const Run &R)
      : R(R), All(findStages(R)), Steps(slowestFirst(R)),
        Samples(samplesPerStep(R, Steps)),
        HasWaits(std::any_of(
            R.Nodes.begin(), R.Nodes.end(),
            [](const Node &N) { return N.Kind == LOOPSCOPE_KIND_WAIT; })),
        HasDraws(std::any_of(R.Nodes.begin(), R.Nodes.end(), [](const Node &N) {
          return N.Kind == LOOPSCOPE_KIND_DRAW;
        })) {
    std::set<uint32_t> Nodes;
    for (const auto &[Node, Each] : Samples)
      Nodes.insert(Node);
    Loops = loopNames(R, Nodes);
  }

  std::vector<Table> build() const {
    std::vector<Table> Tables;
    for (const Stage &S : All.List)
      if (Table Next = tableOf(S); !Next.Rows.empty())
        Tables.push_back(std::move(Next));
    return Tables;
  }

private:
  Table tableOf(const Stage &S) const;
  Fields<Step> fields() const;
  Cell rateOf(const Step &Of) const;
  void addNotes(const Stage &S, Table &To) const;

  const Run &R;
  Stages All;
  std::vector<Step> Steps;
  std::map<uint32_t, uint64_t> Samples;
  bool HasWaits;
  bool HasDraws;
  std::map<uint32_t, std::string> Loops;
};

Fields<Step> StepsTables::fields() const {
  Fields<Step> Result = {
      {{"loop", "Loop", Style::Text},
       [this](const Step &Of) { return text(Loops.at(Of.Whole->Node)); }},
      {{"step", "Step", Style::Integer},
       [](const Step &Of) -> Cell {
         return {Of.Whole->Step, Of.Whole->Open
                                     ? fmt::format("{} (open)", Of.Whole->Step)
                                     : ""};
       }},
      {{"duration_s", "Duration", Style::Time},
       [](const Step &Of) { return duration(Of.ns()); }},
      {{"draw_s", "Draw", Style::Time, 1},
       [this](const Step &Of) {
         return HasDraws ? duration(Of.Draw.Ns) : absent();
       }},
      {{"samples_per_s", "Samples/Second", Style::Rate, 2},
       [this](const Step &Of) { return rateOf(Of); }}};
  if (HasWaits)
    Result.push_back({{"wait_s", "Wait", Style::Time, 1},
                      [](const Step &Of) { return duration(Of.Wait.Ns); }});
  return Result;
}

Cell StepsTables::rateOf(const Step &Of) const {
  uint64_t Count = Samples.at(Of.Whole->Node);
  return Count != 0 && !Of.Whole->Open
             ? real(static_cast<double>(Count) / toSeconds(Of.ns()))
             : absent();
}

// Notes on missing steps and rates.
void StepsTables::addNotes(const Stage &S, Table &To) const {
  uint64_t Begun = 0;
  for (size_t I = 0; I < R.Nodes.size(); ++I)
    if (const Node &N = R.Nodes[I];
        N.Kind == LOOPSCOPE_KIND_STEP && All.Of[I] == S.Kind)
      Begun += N.Spans.count() + N.Open;
  // In a live run, the tree may be behind the timeline.
  if (Begun > To.Rows.size())
    To.Notes.push_back(fmt::format("The timeline has {} of {}.", To.Rows.size(),
                                   counted(Begun, "step")));
  for (const auto &[Node, Count] : Samples) {
    if (All.Of[Node] != S.Kind)
      continue;
    std::string Loop =
        Loops.at(Node) + (R.Nodes[Node].Warmup ? ", warm-up" : "");
    const struct Node &Of = R.Nodes[Node];
    const char *Why = Of.Samples == 0 ? "no samples were counted"
                      : Of.EqualSamples
                          ? "not all of its steps have a number of samples"
                          : "its steps differ in their number of samples";
    std::string Note =
        Count != 0
            ? fmt::format("{}: Samples/Second is of {} per step.", Loop,
                          counted(Count, "sample"))
            : fmt::format("{}: no Samples/Second, because {}.", Loop, Why);
    if (std::find(To.Notes.begin(), To.Notes.end(), Note) == To.Notes.end())
      To.Notes.push_back(std::move(Note));
  }
}

Table StepsTables::tableOf(const Stage &S) const {
  Table Result;
  Result.Id = S.Id;
  Result.Where = {{"stage", S.Id}};
  Result.Title = titleOf(S, All.List.size() == 1);
  Fields<Step> Shown = fields();
  Result.Columns = columnsOf(Shown);
  for (const Step &Each : Steps)
    if (All.Of[Each.Whole->Node] == S.Kind)
      Result.Rows.push_back({cellsOf(Shown, Each)});
  addNotes(S, Result);
  return Result;
}

WithTimeline readsOutermostSpans(const ViewOptions &) {
  return WithTimeline::Outermost;
}

Result<std::vector<Table>> buildSteps(const Run &R, const ViewOptions &) {
  std::vector<Table> Tables = StepsTables(R).build();
  if (Tables.empty())
    return noSteps(R);
  return Tables;
}
} // namespace

namespace loopscope {
extern const View StepsView = {
    .Name = "steps",
    .Help = "every step, the slowest first (LOOPSCOPE=trace)",
    .OfRun = buildSteps,
    .Shape = {.RowsUnlessAsked = ListUnlessAsked},
    .HasStageTables = true,
    .OnTimeline = true,
    .Reads = readsOutermostSpans,
};
} // namespace loopscope
