// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The throughput view.

#include "Analysis/Account/Account.h"
#include "Analysis/Account/NestedLoops.h"
#include "Analysis/Tree/Amounts.h"
#include "Analysis/Tree/GpuSums.h"
#include "Report/Print/Cells.h"
#include "Report/Views/AmountColumns.h"
#include "Report/Views/CpuColumns.h"
#include "Report/Views/View.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

using namespace loopscope;

namespace {
const std::vector<Column> ThroughputColumns = {
    {"phase", "Phase", Style::Text},
    {"action", "Action", Style::Text},
    {"mean_s", "Mean Duration", Style::Duration},
    {"stddev_s", "Duration Std Dev", Style::Duration, 4},
    {"calls", "Number of Calls", Style::Integer, 3},
    {"samples_per_s", "Samples/Second", Style::Rate},
    {"total_s", "Total Time", Style::Duration, 2},
    {"percent", "Percent of Total", Style::Percent, 1}};

// What rows need about each node apart from its times.
struct NodeSums {
  explicit NodeSums(const Run &R) : Gpu(R), Loops(findLoops(R)) {
    if (!amountsOf(R).empty())
      Amounts = amountsByNode(R);
  }

  GpuByNode Gpu;
  LoopNodes Loops;
  std::vector<AmountSums> Amounts; // by node; empty where the run gives none
};

// Spans of one kind or name, summed up. The rows of a step count finished spans
// only, without loops nested in them, so that step = draw + batch and mean *
// calls = total; stages, epochs and loops count all their time.
struct Sum {
  std::string Name;
  int64_t Ns = 0;
  int64_t NestedNs = 0;    // left out of Ns; Spans, RateSum and Cpu include it
  int64_t InclusiveNs = 0; // with open spans and what is in no span
  Moments Spans;
  double RateSum = 0;
  uint64_t RateCount = 0;
  CpuSums Cpu;
  AmountSums Amounts;
  GpuSums Gpu; // of runs that give amounts

  void add(const NodeSums &All, const Run &R, size_t I) {
    const Node &N = R.Nodes[I];
    if (!All.Amounts.empty()) {
      Amounts.add(All.Amounts[I]);
      Gpu.add(All.Gpu.inclusive(static_cast<uint32_t>(I)));
    }
    int64_t Nested = std::min(All.Loops.NestedNs[I], N.FinishedNs);
    Ns = saturatingAdd(Ns, N.FinishedNs - Nested);
    NestedNs = saturatingAdd(NestedNs, Nested);
    InclusiveNs = saturatingAdd(InclusiveNs, N.InclusiveNs);
    Spans.merge(N.Spans);
    RateSum += N.RateSum;
    RateCount += N.RateCount;
    Cpu.add(N.Cpu);
  }
};

// The steps of a stage's loops at one place.
struct Loop {
  loopscope_kind Kind = LOOPSCOPE_KIND_TRAIN;
  uint32_t Site = None;
  std::string Name;         // "train"; with its place if there are several
  std::set<uint32_t> Trees; // of the threads that ran it
  std::string Sharers;      // sharersOf() them
  Sum Runs;                 // executions of the loop, warm-up included
  Sum Step, Batch;
  std::optional<Sum> Draw; // a trace may lack the loader
  std::vector<Sum> Phases;
  uint64_t AllSamples = 0; // warm-up included
  uint64_t Samples = 0;    // of the steps that count
  Sum AllStep;             // warm-up included, for mean-of-ratios
  uint64_t WarmupSteps = 0;
};

struct Throughput {
  uint64_t StageRuns = 0;
  AmountSums Amounts; // of the stage
  Sum Epochs;
  std::vector<Loop> Loops; // training loops first

  size_t loopOf(const Run &R, const Node &N) {
    for (size_t I = 0; I < Loops.size(); ++I)
      if (Loops[I].Kind == N.Kind &&
          sourcePlace(R, Loops[I].Site) == sourcePlace(R, N.Site))
        return I;
    Loop New;
    New.Kind = N.Kind;
    New.Site = N.Site;
    New.Name = kindWord(N.Kind);
    Loops.push_back(std::move(New));
    return Loops.size() - 1;
  }
};

Sum &phaseOf(Loop &L, const std::string &Name) {
  for (Sum &Each : L.Phases)
    if (Each.Name == Name)
      return Each;
  L.Phases.push_back({});
  L.Phases.back().Name = Name;
  return L.Phases.back();
}

// Where a node is: in which loop, in a warm-up step or not, and inside which
// phase.
struct Place {
  std::optional<size_t> Loop;
  bool InStep = false;
  bool Warmup = false;
  std::vector<const std::string *> PhasesAround;
};

void addStep(Loop &L, const NodeSums &All, const Run &R, size_t I) {
  const Node &N = R.Nodes[I];
  L.AllStep.add(All, R, I);
  L.AllSamples += N.Samples;
  if (All.Loops.IsLeftOut[I]) {
    L.WarmupSteps += N.Spans.count();
    return;
  }
  L.Step.add(All, R, I);
  L.Samples += N.Samples;
}

void addNode(Throughput &T, const NodeSums &All, const Run &R, size_t I,
             Place &At) {
  const Node &N = R.Nodes[I];
  if (N.Kind == LOOPSCOPE_KIND_EPOCH) {
    T.Epochs.add(All, R, I);
    return;
  }
  const std::vector<uint32_t> &LoopOf = All.Loops.Of;
  if (LoopOf[I] == I) {
    At = Place();
    At.Loop = T.loopOf(R, N);
    T.Loops[*At.Loop].Runs.add(All, R, I);
    T.Loops[*At.Loop].Trees.insert(N.Thread);
    return;
  }
  if (!At.Loop)
    return;
  Loop &L = T.Loops[*At.Loop];
  bool IsPart = All.Loops.IsStep[N.Parent];
  if (All.Loops.IsStep[I]) {
    At.InStep = true;
    At.Warmup = All.Loops.IsLeftOut[I];
    addStep(L, All, R, I);
  } else if (At.InStep && !At.Warmup && IsPart) {
    bool IsDraw = N.Kind == LOOPSCOPE_KIND_DRAW;
    if (IsDraw && !L.Draw)
      L.Draw.emplace();
    (IsDraw ? *L.Draw : L.Batch).add(All, R, I);
  } else if (At.InStep && !At.Warmup &&
             (N.Kind == LOOPSCOPE_KIND_PHASE || N.Kind == LOOPSCOPE_KIND_WAIT ||
              N.Kind == LOOPSCOPE_KIND_COLLECTIVE)) {
    const std::string &Name = R.nameOf(N);
    for (const std::string *Around : At.PhasesAround)
      if (*Around == Name)
        return; // recursion: the outermost span has the time
    phaseOf(L, Name).add(All, R, I);
    At.PhasesAround.push_back(&Name);
  }
}

void nameLoops(const Run &R, std::vector<Loop> &Loops) {
  std::stable_sort(
      Loops.begin(), Loops.end(),
      [](const Loop &A, const Loop &B) { return A.Kind < B.Kind; });
  for (Loop &Each : Loops) {
    auto Same = std::count_if(Loops.begin(), Loops.end(), [&](const Loop &L) {
      return L.Kind == Each.Kind;
    });
    Each.Sharers = sharersOf(R, Each.Trees);
    std::string Place = siteText(R, Each.Site);
    if (Same > 1 && !Place.empty())
      Each.Name += fmt::format(" ({})", Place);
  }
}

Throughput collect(const Run &R, const NodeSums &Sums, const Stages &All,
                   const Stage &S) {
  Throughput Result;
  Result.Amounts = amountsInStage(R, All.Of, S.Kind, S.WallNs);
  // Parents come before children, so a node's parent is always placed before
  // it.
  std::vector<Place> Places(R.Nodes.size());
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (N.Parent == None)
      continue;
    Places[I] = Places[N.Parent];
    if (N.Kind == S.Kind)
      Result.StageRuns += N.Spans.count() + N.Open;
    if (All.Of[I] == S.Kind)
      addNode(Result, Sums, R, I, Places[I]);
  }
  if (Result.StageRuns == 0)
    Result.StageRuns = 1; // the whole run
  nameLoops(R, Result.Loops);
  return Result;
}

class ThroughputTables {
public:
  ThroughputTables(const Stage &S, const ViewOptions &Options, Throughput T,
                   bool Cpu, const GpuByNode &Gpu, AmountColumns Amounts)
      : S(S), Options(Options), T(std::move(T)), Cpu(Cpu), Gpu(Gpu),
        Amounts(std::move(Amounts)) {}

  Table build();

private:
  double rateOf(const Loop &L, const Sum &Over) const;
  void addRow(const std::string &Phase, const std::string &Action,
              const Sum &Of, int64_t TotalNs, Cell Rate);
  void addLoop(const Loop &L);
  Cell lost(const Loop &L) const;
  Cell loopRate(const Loop &L) const;
  std::string warmupNote() const;
  void addLoopNotes();

  const Stage &S;
  const ViewOptions &Options;
  Throughput T;
  bool Cpu;
  const GpuByNode &Gpu;
  AmountColumns Amounts;
  std::vector<std::string> WithoutCpu; ///< rows without such figures
  Table Result;
};

// Phases in the order of a training step; others follow by total time.
constexpr std::string_view KnownPhases[] = {
    "forward", "predict", "loss", "backward", "opt_step", "zero_grad"};

size_t phaseRank(const std::string &Name) {
  return static_cast<size_t>(
      std::find(std::begin(KnownPhases), std::end(KnownPhases), Name) -
      std::begin(KnownPhases));
}
} // namespace

// Of all threads together. The steps' ratios include nested loops.
double ThroughputTables::rateOf(const Loop &L, const Sum &Over) const {
  if (L.Samples == 0)
    return 0;
  if (Options.Samples == SamplesMode::MeanOfRatios)
    return Over.RateCount == 0 || Over.NestedNs != 0
               ? 0
               : Over.RateSum / static_cast<double>(Over.RateCount) *
                     static_cast<double>(L.Trees.size());
  return samplesPerSecond(L.Samples, Over.Ns, L.Trees.size());
}

// In text, a phase's label is on its first row only.
void ThroughputTables::addRow(const std::string &Phase,
                              const std::string &Action, const Sum &Of,
                              int64_t TotalNs, Cell Rate) {
  uint64_t Calls = Of.Spans.count();
  // Loops and epochs count all their time, with what is nested in them.
  bool IsWhole = Of.NestedNs == 0 || TotalNs == Of.InclusiveNs;
  int64_t FinishedNs = IsWhole ? Of.Ns + Of.NestedNs : Of.Ns;
  Row Next;
  Cell Label = text(Phase);
  if (!Result.Rows.empty() && Result.Rows.back().Cells[0].Value == Label.Value)
    Label.Text = " ";
  Next.Cells = {std::move(Label),
                text(Action),
                Calls == 0 ? absent()
                           : seconds(static_cast<double>(FinishedNs) /
                                     static_cast<double>(Calls) / NsPerSecond),
                Calls == 0 || !IsWhole
                    ? absent()
                    : seconds(Of.Spans.deviationNs() / NsPerSecond),
                count(Calls),
                std::move(Rate),
                duration(TotalNs),
                share(TotalNs, S.WallNs)};
  if (Cpu)
    for (Cell &Each : IsWhole ? cpuCells(Of.Cpu, TotalNs) : noCpuCells())
      Next.Cells.push_back(std::move(Each));
  if (Amounts.isUsed())
    for (Cell &Each : Amounts.cells(Action, Of.Amounts, Gpu.busyNs(Of.Gpu)))
      Next.Cells.push_back(std::move(Each));
  if (!IsWhole || !Of.Cpu.standFor(TotalNs))
    WithoutCpu.push_back(Action);
  Result.Rows.push_back(std::move(Next));
}

// The samples per second lost by waiting for data; negative.
Cell ThroughputTables::lost(const Loop &L) const {
  double Batch = rateOf(L, L.Batch);
  double Step = rateOf(L, L.Step);
  if (Batch == 0 || Step == 0)
    return absent();
  return real(-(Batch - Step), rate(-(Batch - Step)) + " lost");
}

Cell ThroughputTables::loopRate(const Loop &L) const {
  double Rate = 0;
  if (Options.Samples == SamplesMode::MeanOfRatios)
    Rate = L.AllSamples == 0 ? 0 : rateOf(L, L.AllStep);
  else
    Rate = samplesPerSecond(L.AllSamples, L.Runs.InclusiveNs - L.Runs.NestedNs,
                            L.Trees.size());
  return Rate == 0 ? absent() : real(Rate);
}

void ThroughputTables::addLoop(const Loop &L) {
  if (L.Step.Spans.count() == 0)
    return;
  auto Rate = [&](const Sum &Over) {
    double Value = rateOf(L, Over);
    return Value == 0 ? absent() : real(Value);
  };
  addRow(L.Name, "step", L.Step, L.Step.Ns, Rate(L.Step));
  if (L.Draw)
    addRow(L.Name, "draw", *L.Draw, L.Draw->Ns, lost(L));
  addRow(L.Name, "batch", L.Batch, L.Batch.Ns, Rate(L.Batch));
  std::vector<Sum> Phases = L.Phases;
  std::stable_sort(
      Phases.begin(), Phases.end(), [](const Sum &A, const Sum &B) {
        size_t RankA = phaseRank(A.Name), RankB = phaseRank(B.Name);
        if (RankA != RankB)
          return RankA < RankB;
        return RankA == std::size(KnownPhases) && A.Ns > B.Ns;
      });
  for (const Sum &Each : Phases)
    addRow(L.Name, Each.Name, Each, Each.Ns,
           Each.Name == "zero_grad" ? absent() : Rate(Each));
}

std::string ThroughputTables::warmupNote() const {
  std::string Left;
  for (const Loop &L : T.Loops)
    if (L.WarmupSteps != 0)
      Left += fmt::format("{}{} of {} {}", Left.empty() ? "" : " and ",
                          L.WarmupSteps, L.AllStep.Spans.count(), L.Name);
  if (Left.empty())
    return {};
  return fmt::format("Warm-up: {} steps are left out of the train and valid "
                     "rows; the {} rows count all.",
                     Left, S.Kind == LOOPSCOPE_KIND_ROOT ? "outer" : S.Id);
}

// What makes a loop's figures other than the sums of its steps.
void ThroughputTables::addLoopNotes() {
  for (const Loop &L : T.Loops) {
    if (L.Step.NestedNs != 0)
      Result.Notes.push_back(fmt::format(
          "Loops inside the steps of {} took {}: they are left out of its rows "
          "and its Samples/Second.",
          L.Name,
          readableDuration(static_cast<double>(L.Step.NestedNs) /
                           NsPerSecond)));
    if (L.Trees.size() > 1 && L.Samples != 0)
      Result.Notes.push_back(fmt::format(
          "{} ran on {}: times are their sums, and Samples/Second is of all of "
          "them together, if they ran at the same time.",
          L.Name, L.Sharers));
  }
}

Table ThroughputTables::build() {
  Result.Id = S.Id;
  Result.Where = {{"stage", S.Id}};
  Result.Title = "Profiling Results";
  Result.Columns = ThroughputColumns;
  if (Cpu)
    for (Column &Each : cpuColumns(Style::Duration, 5))
      Result.Columns.push_back(std::move(Each));
  if (Amounts.isUsed())
    for (Column &Each : Amounts.columns())
      Result.Columns.push_back(std::move(Each));
  const char *Outer = S.Id.c_str();
  Row First;
  Cell Action = text(S.Id);
  Action.Text = " "; // the same label again
  First.Cells = {text(S.Id),         std::move(Action),        absent(),
                 absent(),           count(T.StageRuns),       absent(),
                 duration(S.WallNs), share(S.WallNs, S.WallNs)};
  if (Cpu)
    for (Cell &Each : noCpuCells())
      First.Cells.push_back(std::move(Each));
  if (Amounts.isUsed())
    for (Cell &Each : Amounts.cells(S.Id, T.Amounts, 0))
      First.Cells.push_back(std::move(Each));
  Result.Rows.push_back(std::move(First));
  if (T.Epochs.InclusiveNs > 0)
    addRow(Outer, "epoch", T.Epochs, T.Epochs.InclusiveNs, absent());
  for (const Loop &L : T.Loops)
    if (L.Runs.InclusiveNs > 0)
      addRow(Outer, L.Name, L.Runs, L.Runs.InclusiveNs, loopRate(L));
  for (const Loop &L : T.Loops)
    addLoop(L);
  if (std::string Note = warmupNote(); !Note.empty())
    Result.Notes.push_back(std::move(Note));
  addLoopNotes();
  Result.Notes.push_back(fmt::format(
      "Percentages are of the whole {}: {}.",
      S.Kind == LOOPSCOPE_KIND_ROOT ? "time outside all stages"
                                    : S.Id + " stage",
      readableDuration(static_cast<double>(S.WallNs) / NsPerSecond)));
  if (Options.Samples == SamplesMode::MeanOfRatios)
    Result.Notes.push_back("Samples/Second is the mean of the steps' ratios.");
  if (Cpu && Options.Stats)
    for (std::string &Note : cpuNotes(WithoutCpu))
      Result.Notes.push_back(std::move(Note));
  if (Amounts.isUsed())
    for (std::string &Note : Amounts.notes())
      Result.Notes.push_back(std::move(Note));
  return std::move(Result);
}

namespace {
Result<std::vector<Table>> buildThroughput(const Run &R,
                                           const ViewOptions &Options) {
  std::vector<Table> Tables;
  Stages All = findStages(R);
  bool IsData = Options.Output == Format::Csv || Options.Output == Format::Json;
  bool Cpu = (IsData || Options.Stats) && hasCpu(R);
  NodeSums Sums(R);
  for (const Stage &S : All.List) {
    Throughput T = collect(R, Sums, All, S);
    bool HasLoops =
        T.Epochs.InclusiveNs > 0 ||
        std::any_of(T.Loops.begin(), T.Loops.end(),
                    [](const Loop &Each) { return Each.Runs.InclusiveNs > 0; });
    if (HasLoops)
      Tables.push_back(ThroughputTables(S, Options, std::move(T), Cpu, Sums.Gpu,
                                        AmountColumns(R, IsData))
                           .build());
  }
  if (Tables.empty())
    return Error{fmt::format("{}: the throughput view needs a loop marked "
                             "train, valid or epoch, and this run visited "
                             "none",
                             R.Path)};
  return Tables;
}
} // namespace

namespace loopscope {
extern const View ThroughputView = {
    .Name = "throughput",
    .Help = "fastxtend's table: samples per second, waiting for data",
    .OfRun = buildThroughput,
    // The first column is a label that rows share.
    .Shape = {.NameColumn = 1,
              .HasLabels = true,
              .Sorts = false,
              .Cuts = false},
    .HasStageTables = true,
    .Groups = {Grouping::Key},
    .Phases = PhasesOfRanks::Sums,
};
} // namespace loopscope
