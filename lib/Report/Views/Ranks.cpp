// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranks view: one action over all processes of a distributed run.

#include "Analysis/FlatRows.h"
#include "Report/Print/Cells.h"
#include "Report/Views/Footer.h"
#include "Report/Views/View.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace loopscope;

namespace {
const std::vector<Column> Columns = {
    {"action", "Action", Style::Text},
    {"ranks", "Ranks", Style::Integer, 3},
    {"min_s", "Min total", Style::Duration, 2},
    {"mean_s", "Mean total", Style::Duration, 1},
    {"max_s", "Max total", Style::Duration},
    {"imbalance_percent", "Max over mean", Style::Percent2},
    {"slowest", "Slowest", Style::Text}};

// One action's total time in each process that has it.
struct Spread {
  std::vector<int64_t> TotalsNs;
  int64_t MaxNs = -1;
  std::string SlowestProcess;

  void add(int64_t Ns, const std::string &Process) {
    TotalsNs.push_back(Ns);
    if (Ns > MaxNs) {
      MaxNs = Ns;
      SlowestProcess = Process;
    }
  }
};

Row rowOf(const std::string &Name, const Spread &Of) {
  double Sum = 0;
  for (int64_t Ns : Of.TotalsNs)
    Sum += static_cast<double>(Ns);
  double Mean = Sum / static_cast<double>(Of.TotalsNs.size());
  Row Result;
  Result.Cells = {
      text(Name),
      count(Of.TotalsNs.size()),
      duration(*std::min_element(Of.TotalsNs.begin(), Of.TotalsNs.end())),
      seconds(Mean / NsPerSecond),
      duration(Of.MaxNs),
      Mean > 0 ? real((static_cast<double>(Of.MaxNs) / Mean - 1) * 100)
               : absent(),
      text(Of.SlowestProcess)};
  return Result;
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
  Result.Columns = Columns;
  Result.Rows.push_back(rowOf("Total", All));
  Result.Rows.back().IsTotal = true;
  std::vector<std::pair<std::string, Spread>> Sorted(Actions.begin(),
                                                     Actions.end());
  std::stable_sort(Sorted.begin(), Sorted.end(),
                   [](const auto &A, const auto &B) {
                     return A.second.MaxNs > B.second.MaxNs;
                   });
  for (const auto &[Name, Each] : Sorted)
    Result.Rows.push_back(rowOf(Name, Each));
  return Result;
}

Result<std::vector<Table>> build(const std::vector<Run> &All,
                                 const ViewOptions & /*Options*/) {
  if (All.size() < 2)
    return Error{"the ranks view compares the processes of a run; name at "
                 "least two profiles, for example train.*.loopscope"};
  std::vector<std::string> Order;
  std::map<std::string, StageSpread> ByStage;
  for (const Run &P : All) {
    Stages Found = findStages(P);
    GpuByNode Gpu(P);
    for (const Stage &S : Found.List) {
      if (ByStage.find(S.Id) == ByStage.end())
        Order.push_back(S.Id);
      StageSpread &To = ByStage[S.Id];
      To.Title = S.Title;
      To.Wall.add(S.WallNs, P.processName());
      FlatRows Flat = flatten(P, Gpu, Found, S);
      if (Gpu.hasData())
        To.Gpu.add(Gpu.busyNs(Flat.Gpu), P.processName());
      for (const FlatRow &R : Flat.Rows) {
        To.Actions[R.Name].add(R.TotalNs, P.processName());
        if (!R.Gpu.isEmpty())
          To.GpuActions[R.Name].add(Gpu.busyNs(R.Gpu), P.processName());
      }
    }
  }
  std::vector<Table> Tables;
  for (const std::string &Id : Order) {
    const StageSpread &Of = ByStage[Id];
    Tables.push_back(tableOf(Of.Title + ", all ranks", Of.Wall, Of.Actions));
    Tables.back().Id = Id;
    Tables.back().Where = {{"stage", Id}, {"table", "host"}};
    if (Of.GpuActions.empty())
      continue;
    Tables.push_back(
        tableOf(Of.Title + ", GPU time, all ranks", Of.Gpu, Of.GpuActions));
    Tables.back().Id = Id + "_gpu";
    Tables.back().Where = {{"stage", Id}, {"table", "gpu"}};
  }
  return Tables;
}
} // namespace

const View loopscope::RanksView = {
    .Name = "ranks",
    .Help = "each action over the processes of a distributed run",
    .OfRuns = build,
    .HasStageTables = true,
    .OnPage = false,
};
