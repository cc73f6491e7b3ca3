// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The distributed view: what the traced processes of a run spent their steps
// on, as the TensorBoard plugin's view of that name has it.

#include "Analysis/TraceTraffic.h"
#include "Report/Print/Cells.h"
#include "Report/Views/View.h"
#include "Run/Combine/RollCall.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
const std::vector<Column> Columns = {
    {"worker", "Worker", Style::Text},
    {"step", "Step", Style::Text},
    {"computation_s", "Computation", Style::Duration},
    {"overlapping_s", "Overlapping", Style::Duration},
    {"communication_s", "Communication", Style::Duration},
    {"other_s", "Other", Style::Duration, 1},
    {"transfer_s", "Data transfer", Style::Duration},
    {"synchronizing_s", "Synchronizing", Style::Duration}};

Row rowOf(const Worker &Of, const WorkerStep &Step, std::string Name,
          bool IsSplit) {
  const TrafficStep &S = Step.Of;
  Row Next;
  Next.Cells = {text(Of.Process),
                text(std::move(Name)),
                duration(S.ComputationNs - S.OverlapNs),
                duration(S.OverlapNs),
                duration(S.CommunicationNs - S.OverlapNs),
                duration(S.OtherNs),
                IsSplit ? duration(Step.TransferNs) : absent(),
                IsSplit ? duration(Step.WaitNs) : absent()};
  return Next;
}

Result<std::vector<Table>> build(const std::vector<Run> &All,
                                 const ViewOptions &Options) {
  for (const Run &Each : All)
    if (!Each.isTrace())
      return Error{fmt::format("{}: the distributed view is of PyTorch traces; "
                               "use --view ranks for Loopscope profiles",
                               Each.Path)};
  Workers Found = workersOf(All, lacksRanks(All));
  Table Out;
  Out.Id = "workers";
  Out.Title = "Workers: computation and communication per step";
  Out.Columns = Columns;
  bool ShowsSteps = Options.Rows.has_value() || !Options.Filter.empty() ||
                    Options.Output == Format::Csv ||
                    Options.Output == Format::Json;
  for (const Worker &Each : Found.List) {
    Out.Rows.push_back(rowOf(Each, Each.Average, "average", Found.IsSplit));
    for (const WorkerStep &Step : Each.Steps)
      if (ShowsSteps)
        Out.Rows.push_back(rowOf(Each, Step, Step.Of.Name, Found.IsSplit));
  }
  Out.Notes.emplace_back("Computation and Communication are without what "
                         "overlaps; transfer and synchronizing are parts of "
                         "the operations' own time.");
  Out.Notes.insert(Out.Notes.end(), Found.Notes.begin(), Found.Notes.end());
  return std::vector<Table>{std::move(Out)};
}
} // namespace

const View loopscope::DistributedView = {
    .Name = "distributed",
    .Help = "PyTorch's workers: computing, communicating, both (traces)",
    .OfRuns = build,
    .OnPage = false,
    .OnTraffic = true,
};
