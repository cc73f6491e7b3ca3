// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranks view: who was late and what that cost, with a row per rank; or, by
// action, each action over all processes of a distributed run.

#include "Analysis/Ranks/Ranks.h"
#include "Analysis/Ranks/RankInstances.h"
#include "Analysis/Ranks/StalledRanks.h"
#include "Analysis/Tree/FlatRows.h"
#include "Analysis/Tree/Outliers.h"
#include "Analysis/Tree/UsefulTime.h"
#include "Report/Print/Cells.h"
#include "Report/Views/Footer.h"
#include "Report/Views/View.h"
#include "Run/Combine/RollCall.h"
#include "Support/Numbers.h"
#include "Support/Order.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

using namespace loopscope;

namespace {
const std::vector<Column> RankColumns = {
    {"rank", "Rank", Style::Integer},
    {"host", "Host", Style::Text, 2},
    {"steps", "Steps", Style::Integer, 3},
    {"step_mean_s", "Mean step", Style::Time},
    {"own_s", "Own", Style::Time},
    {"wait_s", "Wait", Style::Time},
    {"transfer_s", "Transfer", Style::Time},
    {"last_count", "Came last", Style::Integer, 1},
    {"last_percent", "Last %", Style::Percent},
    {"culprit_phase", "Because of", Style::Text, 4},
    {"covered_percent", "Compared %", Style::Percent, 5}};

Row rowOf(const RankRow &From, const StageRanks &Of) {
  // Without any collective, the file may lack them.
  bool IsSplit =
      From.IsSplit || (From.CollectiveNs == 0 && Of.hasCollectives());
  bool KnowsLast = From.Covered > 0 && Of.StepsCompared != 0;
  Row Next;
  Next.Cells = {
      From.Rank >= 0 ? count(static_cast<uint64_t>(From.Rank))
                     : text(From.Process),
      text(From.Host), count(From.Steps),
      From.Steps == 0 ? absent()
                      : seconds(static_cast<double>(From.ElapsedNs) /
                                static_cast<double>(From.Steps) / NsPerSecond),
      Of.KnowsOwn ? duration(From.OwnNs) : absent(),
      IsSplit ? duration(From.waitNs()) : absent(),
      // On devices, it is a part of what the host waits for.
      IsSplit && !Of.OnDevices ? duration(From.TransferNs) : absent(),
      KnowsLast ? count(From.LastCount) : absent(),
      KnowsLast ? share(static_cast<int64_t>(From.LastCount),
                        static_cast<int64_t>(Of.StepsCompared))
                : absent(),
      From.CulpritPhase.empty() ? absent("") : text(From.CulpritPhase),
      From.CollectiveNs == 0 && From.Covered == 0 ? absent()
                                                  : real(From.Covered * 100)};
  return Next;
}

const char *wordOf(StragglerKind Kind) {
  switch (Kind) {
  case StragglerKind::Persistent:
    return "persistent";
  case StragglerKind::Rotating:
    return "rotating";
  default:
    return "none";
  }
}

// The facts for json; nothing if nothing is known.
void addObjects(const StageRanks &Of, Table &To) {
  const Straggler &Late = Of.Late;
  if (Late.Kind != StragglerKind::Unknown) {
    bool IsOne = Late.Kind == StragglerKind::Persistent;
    const RankRow &Row = Of.Rows[Late.Row];
    bool HasOwn = Late.IsFromOwnTime;
    const std::string &Phase = HasOwn ? Late.Reason.Name : Late.Phase;
    double Explained = HasOwn ? Late.Reason.Explained : Late.Explained;
    To.Objects.push_back(
        {"straggler",
         {{"rank", IsOne && Row.Rank >= 0
                       ? count(static_cast<uint64_t>(Row.Rank))
                       : absent()},
          {"share_percent",
           IsOne && !HasOwn ? real(Late.LastPart * 100) : absent()},
          {"phase", Phase.empty() ? absent() : text(Phase)},
          {"explained_percent",
           Phase.empty() ? absent() : real(Explained * 100)},
          {"kind", text(wordOf(Late.Kind))}}});
  }
  const RankEfficiency &E = Of.Efficiency;
  if (!E.IsKnown)
    return;
  To.Objects.push_back(
      {"efficiency",
       {{"parallel", real(E.Parallel)},
        {"load_balance", real(E.LoadBalance)},
        {"load_balance_within", real(E.Within)},
        {"load_balance_between", real(E.Between)},
        {"communication", real(E.Communication)},
        {"transfer", E.IsSplit ? real(E.Transfer) : absent()},
        {"serialisation", E.IsSplit ? real(E.Serialisation) : absent()}}});
}

std::string efficiencyLine(const RankEfficiency &E) {
  std::string Text = fmt::format(
      "Parallel efficiency {:.1f}% = load balance {:.1f}% x communication "
      "{:.1f}%",
      E.Parallel * 100, E.LoadBalance * 100, E.Communication * 100);
  if (E.IsSplit)
    Text += fmt::format(" (transfer {:.1f}%, serialisation {:.1f}%)",
                        E.Transfer * 100, E.Serialisation * 100);
  return Text + ".";
}

Table tableOf(const StageRanks &Of) {
  Table Next;
  Next.Id = Of.Id;
  Next.Where = {{"stage", Of.Id}};
  Next.Title = Of.Title + ", by rank";
  for (std::string Line : {rankVerdict(Of).Text, stragglerSentence(Of)}) {
    if (Line.empty())
      continue;
    if (Line.starts_with("rank "))
      Line.front() = 'R';
    Next.Preamble.push_back(std::move(Line));
  }
  Next.Columns = RankColumns;
  for (const RankRow &Each : Of.Rows)
    Next.Rows.push_back(rowOf(Each, Of));
  if (Of.Efficiency.IsKnown)
    Next.Notes.push_back(efficiencyLine(Of.Efficiency));
  double Covered = 1;
  for (const RankRow &Each : Of.Rows)
    if (Each.Covered > 0)
      Covered = std::min(Covered, Each.Covered);
  if (std::string Line = coverageNote(Covered); !Line.empty())
    Next.Notes.push_back(std::move(Line));
  Next.Notes.insert(Next.Notes.end(), Of.Notes.begin(), Of.Notes.end());
  addObjects(Of, Next);
  return Next;
}

const std::vector<Column> ActionColumns = {
    {"action", "Action", Style::Text},
    {"ranks", "Ranks", Style::Integer, 3},
    {"min_s", "Min total", Style::Time, 2},
    {"mean_s", "Mean total", Style::Time, 1},
    {"max_s", "Max total", Style::Time},
    {"imbalance_percent", "Max over mean", Style::Percent2},
    {"slowest", "Slowest", Style::Text},
    {"outliers", "Outliers", Style::Text, 4},
    {"slowest_host", "Slowest host", Style::Text, 5},
    {"host_imbalance_percent", "Host over mean", Style::Percent2, 6}};

// An action's total time in each process that has it.
struct Spread {
  std::vector<int64_t> TotalsNs;
  std::vector<const Run *> Of; // alike
  int64_t MaxNs = -1;
  std::string SlowestProcess;

  void add(int64_t Ns, const Run &R) {
    TotalsNs.push_back(Ns);
    Of.push_back(&R);
    if (Ns > MaxNs) {
      MaxNs = Ns;
      SlowestProcess = R.processName();
    }
  }
};

double meanSeconds(const std::vector<int64_t> &TotalsNs) {
  double Sum = 0;
  for (int64_t Ns : TotalsNs)
    Sum += static_cast<double>(Ns);
  return Sum / static_cast<double>(TotalsNs.size());
}

// The processes that stand apart: "3, 7 to 9" by rank.
std::string outlierText(const Spread &Of) {
  std::vector<int64_t> Ranks;
  size_t Others = 0;
  for (size_t Each : outliersOf(Of.TotalsNs))
    if (Of.Of[Each]->Rank >= 0)
      Ranks.push_back(Of.Of[Each]->Rank);
    else
      ++Others;
  std::string Text = rangesText(std::move(Ranks));
  if (Others != 0)
    Text +=
        fmt::format("{}{} without a rank", Text.empty() ? "" : " and ", Others);
  return Text;
}

// The host whose processes take longest on average, and its mean relative to
// all hosts; empty if there is only one host.
struct HostSpread {
  std::string Slowest;
  double OverMean = 0;

  explicit HostSpread(const Spread &Of) {
    std::map<std::string, std::vector<int64_t>> ByHost;
    for (size_t I = 0; I < Of.Of.size(); ++I)
      ByHost[Of.Of[I]->Host].push_back(Of.TotalsNs[I]);
    double Sum = 0;
    double Most = -1;
    for (const auto &[Host, Totals] : ByHost) {
      double Mean = meanSeconds(Totals);
      Sum += Mean;
      if (Mean > Most) {
        Most = Mean;
        Slowest = Host;
      }
    }
    if (ByHost.size() < 2 || Sum <= 0)
      Slowest.clear();
    else
      OverMean = Most * static_cast<double>(ByHost.size()) / Sum - 1;
  }
};

Row rowOf(const std::string &Name, const Spread &Of) {
  double Mean = meanSeconds(Of.TotalsNs);
  std::string Outliers = outlierText(Of);
  HostSpread Hosts(Of);
  int64_t MinNs = *std::min_element(Of.TotalsNs.begin(), Of.TotalsNs.end());
  bool IsOneSlowest = Of.MaxNs > MinNs || Of.TotalsNs.size() == 1;
  bool HasHosts = !Hosts.Slowest.empty();
  Row Result;
  Result.Cells = {text(Name),
                  count(Of.TotalsNs.size()),
                  duration(MinNs),
                  seconds(Mean / NsPerSecond),
                  duration(Of.MaxNs),
                  Mean > 0
                      ? real((static_cast<double>(Of.MaxNs) / Mean - 1) * 100)
                      : absent(),
                  IsOneSlowest ? text(Of.SlowestProcess) : absent(),
                  Outliers.empty() ? absent() : text(Outliers),
                  HasHosts ? text(Hosts.Slowest) : absent(),
                  HasHosts ? real(Hosts.OverMean * 100) : absent()};
  return Result;
}

// For people, drops those of the last columns in which no row has a value.
void dropEmptyColumns(const ViewOptions &Options, Table &Of) {
  constexpr size_t AlwaysThere = 7;
  if (Options.Output == Format::Csv || Options.Output == Format::Json ||
      !Options.Columns.empty() || !Options.Sort.empty())
    return;
  while (Of.Columns.size() > AlwaysThere &&
         std::all_of(Of.Rows.begin(), Of.Rows.end(), [](const Row &Each) {
           return std::holds_alternative<std::monostate>(
               Each.Cells.back().Value);
         })) {
    Of.Columns.pop_back();
    for (Row &Each : Of.Rows)
      Each.Cells.pop_back();
  }
}

struct StageSpread {
  std::string Title;
  Spread Wall;
  std::map<std::string, Spread> Actions;
  Spread Gpu; // busy with the stage's work
  std::map<std::string, Spread> GpuActions;
};

Table tableOf(const std::string &Title, const Spread &All,
              const std::map<std::string, Spread> &Actions) {
  Table Result;
  Result.Title = Title;
  Result.Columns = ActionColumns;
  Result.Rows.push_back(rowOf("Total", All));
  Result.Rows.back().IsTotal = true;
  std::vector<std::pair<std::string, Spread>> Sorted(Actions.begin(),
                                                     Actions.end());
  sortLargestFirst(Sorted, [](const auto &A) { return A.second.MaxNs; });
  for (const auto &[Name, Each] : Sorted)
    Result.Rows.push_back(rowOf(Name, Each));
  return Result;
}

// The part of the stage's wall time on main threads that isn't own time.
int64_t waitingIn(const Run &R, const Stages &Found, const Stage &S) {
  std::vector<int64_t> Waiting = waitingTimes(R);
  int64_t Sum = 0;
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (!R.Threads[N.Thread].IsMain || Found.Of[I] != S.Kind)
      continue;
    bool IsTop = Found.Implicit
                     ? N.Parent == None
                     : N.Parent == None || Found.Of[N.Parent] != S.Kind;
    if (IsTop)
      Sum = saturatingAdd(Sum, Waiting[I]);
  }
  return Sum;
}

std::vector<Table> byAction(const std::vector<Run> &All,
                            const ViewOptions &Options) {
  std::vector<std::string> Order;
  std::map<std::string, StageSpread> ByStage;
  bool HasWaits = std::any_of(All.begin(), All.end(), hasUsefulTime);
  for (const Run &R : All) {
    Stages Found = findStages(R);
    GpuByNode Gpu(R);
    for (const Stage &S : Found.List) {
      if (ByStage.find(S.Id) == ByStage.end())
        Order.push_back(S.Id);
      StageSpread &To = ByStage[S.Id];
      To.Title = S.Title;
      To.Wall.add(std::max<int64_t>(0, S.WallNs - waitingIn(R, Found, S)), R);
      FlatRows Flat = flatten(R, Gpu, Found, S);
      if (Gpu.hasData())
        To.Gpu.add(Gpu.busyNs(Flat.Gpu), R);
      for (const FlatRow &Action : Flat.Rows) {
        To.Actions[Action.Name].add(Action.TotalNs - Action.WaitingNs, R);
        if (!Action.Gpu.isEmpty())
          To.GpuActions[Action.Name].add(Gpu.busyNs(Action.Gpu), R);
      }
    }
  }
  std::vector<Table> Tables;
  for (const std::string &Id : Order) {
    const StageSpread &Of = ByStage[Id];
    Tables.push_back(tableOf(Of.Title + ", all ranks", Of.Wall, Of.Actions));
    if (HasWaits)
      Tables.back().Notes.push_back(
          "Times are own time: they leave out marked waits, waits for a "
          "device, and collectives.");
    Tables.back().Id = Id;
    Tables.back().Where = {{"stage", Id}, {"table", "host"}};
    if (Of.GpuActions.empty())
      continue;
    Tables.push_back(
        tableOf(Of.Title + ", GPU time, all ranks", Of.Gpu, Of.GpuActions));
    Tables.back().Id = Id + "_gpu";
    Tables.back().Where = {{"stage", Id}, {"table", "gpu"}};
  }
  for (Table &Each : Tables)
    dropEmptyColumns(Options, Each);
  return Tables;
}

Result<std::vector<Table>> buildRanks(const std::vector<Run> &All,
                                      const ViewOptions &Options) {
  if (All.size() < 2)
    return Error{"the ranks view compares the processes of a run; name at "
                 "least two profiles, for example train.*.loopscope"};
  std::vector<Table> Tables;
  if (Options.By != Grouping::Action)
    for (const StageRanks &Each : ranksOf(All, lacksRanks(All)))
      Tables.push_back(tableOf(Each));
  // Without loops over batches, there are only actions.
  if (Tables.empty())
    Tables = byAction(All, Options);
  if (std::string Line = unfinishedText(All); !Line.empty() && !Tables.empty())
    Tables.front().Preamble.insert(Tables.front().Preamble.begin(),
                                   std::move(Line));
  return Tables;
}
} // namespace

namespace loopscope {
extern const View RanksView = {
    .Name = "ranks",
    .Help = "which rank of a distributed run is late, why, and what it costs",
    .OfRuns = buildRanks,
    .HasStageTables = true,
    .Groups = {Grouping::Action},
    .OnPage = false,
    .Phases = PhasesOfRanks::None,
};
} // namespace loopscope
