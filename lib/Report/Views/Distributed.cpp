// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The distributed view: what a run's traced processes spent their steps on,
// like the TensorBoard plugin's view of that name; and the same for profiles
// whose devices communicate.

#include "Analysis/Ranks/ExposedCommunication.h"
#include "Analysis/Ranks/TraceTraffic.h"
#include "Analysis/Verdict/Verdict.h"
#include "Report/Print/Cells.h"
#include "Report/Views/View.h"
#include "Run/Combine/RollCall.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
const std::vector<Column> DistributedColumns = {
    {"worker", "Worker", Style::Text},
    {"step", "Step", Style::Text},
    {"computation_s", "Computation", Style::Time},
    {"overlapping_s", "Overlapping", Style::Time},
    {"communication_s", "Communication", Style::Time},
    {"other_s", "Other", Style::Time, 1},
    {"transfer_s", "Data transfer", Style::Time},
    {"synchronizing_s", "Synchronizing", Style::Time}};

Table emptyTable() {
  Table Out;
  Out.Id = "workers";
  Out.Title = "Workers: computation and communication per step";
  Out.Columns = DistributedColumns;
  return Out;
}

// Without any communication, the traces may lack it.
Row rowOf(const Worker &Of, const WorkerStep &Step, std::string Name,
          bool HasCommunication, bool IsSplit) {
  const TrafficStep &S = Step.Of;
  Row Next;
  Next.Cells = {text(Of.Process),
                text(std::move(Name)),
                duration(S.ComputationNs - S.OverlapNs),
                HasCommunication ? duration(S.OverlapNs) : absent(),
                HasCommunication ? duration(S.CommunicationNs - S.OverlapNs)
                                 : absent(),
                duration(S.OtherNs),
                IsSplit ? duration(Step.TransferNs) : absent(),
                IsSplit ? duration(Step.WaitNs) : absent()};
  return Next;
}

// Whether it is a profile with kernels of NCCL operations.
bool communicatesOnDevice(const Run &R) {
  return std::any_of(R.Nodes.begin(), R.Nodes.end(),
                     [](const Node &N) { return N.OnDeviceCalls != 0; });
}

Row rowOf(const Run &R, const DeviceStep &Of) {
  Worker Who;
  Who.Process = R.processName();
  Row Next = rowOf(Who, {Of.Average}, Of.Average.Name, true, false);
  if (Of.Unclaimed != 0) // what they do isn't told apart
    std::fill(Next.Cells.begin() + 2, Next.Cells.begin() + 5, absent());
  return Next;
}

// What the rows don't show for profiles.
std::vector<std::string> notesOn(const std::vector<DeviceStep> &All) {
  DeviceStep Sum;
  for (const DeviceStep &Each : All) {
    Sum.Unclaimed += Each.Unclaimed;
    Sum.UnknownNs = saturatingAdd(Sum.UnknownNs, Each.UnknownNs);
    for (int64_t TrafficStep::*Part :
         {&TrafficStep::CommunicationNs, &TrafficStep::OverlapNs})
      Sum.Average.*Part = saturatingAdd(Sum.Average.*Part, Each.Average.*Part);
  }
  if (Sum.Unclaimed != 0)
    return {fmt::format(
        "How much of the communication is exposed isn't known: NCCL doesn't "
        "name the operations of {}, such as those in CUDA graphs.",
        Sum.Unclaimed == 1 ? "one kernel"
                           : fmt::format("{} kernels", Sum.Unclaimed))};
  std::vector<std::string> Notes = {fmt::format(
      "{:.1f}% of the communication is exposed: no computation overlaps it.",
      100 * part(Sum.Average.CommunicationNs - Sum.Average.OverlapNs,
                 Sum.Average.CommunicationNs))};
  if (Sum.UnknownNs != 0)
    Notes.emplace_back("At times, too many call paths had work to tell them "
                       "apart; which computation overlapped communication then "
                       "isn't known, so it counts as exposed.");
  return Notes;
}

Result<std::vector<Table>> tableOfProfiles(const std::vector<Run> &All) {
  Table Out = emptyTable();
  std::vector<DeviceStep> Steps;
  for (const Run &Each : All) {
    DeviceStep Of = deviceStepOf(Each);
    if (Of.Steps == 0)
      continue;
    Out.Rows.push_back(rowOf(Each, Of));
    Steps.push_back(std::move(Of));
  }
  if (Steps.empty())
    return Error{
        fmt::format("{}: no step of a loop has communication on a device; the "
                    "distributed view shows only such steps",
                    All.front().Path)};
  Out.Notes = notesOn(Steps);
  return std::vector<Table>{std::move(Out)};
}

Result<std::vector<Table>> buildDistributed(const std::vector<Run> &All,
                                            const ViewOptions &Options) {
  if (std::any_of(All.begin(), All.end(), communicatesOnDevice))
    return tableOfProfiles(All);
  for (const Run &Each : All)
    if (!Each.By->KeepsEvents)
      return Error{fmt::format(
          "{}: the distributed view covers PyTorch traces and profiles with "
          "NCCL's kernels; use --view ranks for other profiles",
          Each.Path)};
  Workers Found = workersOf(All, lacksRanks(All));
  Table Out = emptyTable();
  bool ShowsSteps = Options.Rows.has_value() || !Options.Filter.empty() ||
                    Options.Output == Format::Csv ||
                    Options.Output == Format::Json;
  bool Communicates = std::ranges::any_of(Found.List, [](const Worker &Each) {
    return Each.Average.Of.CommunicationNs != 0;
  });
  for (const Worker &Each : Found.List) {
    Out.Rows.push_back(
        rowOf(Each, Each.Average, "average", Communicates, Found.IsSplit));
    for (const WorkerStep &Step : Each.Steps)
      if (ShowsSteps)
        Out.Rows.push_back(
            rowOf(Each, Step, Step.Of.Name, Communicates, Found.IsSplit));
  }
  Out.Notes.emplace_back(
      "Computation and Communication exclude their overlap; transfer and "
      "synchronizing are parts of the operations' own time.");
  if (Found.differFromVerdict()) {
    Out.Notes.push_back(fmt::format(
        "The verdict takes {:.1f}% of these steps for communication, the rows "
        "{:.1f}%. In the rows, as in TensorBoard's plugin, every operator "
        "computes, even one that waits for communication; for the verdict, "
        "only operators of the steps' threads that don't wait do.",
        100 * part(Found.VerdictNs, Found.HostStepsNs),
        100 * part(Found.AloneNs, Found.HostStepsNs)));
    Out.Objects.push_back(
        {"communication_percent",
         {{"verdict", share(Found.VerdictNs, Found.HostStepsNs)},
          {"rows", share(Found.AloneNs, Found.HostStepsNs)}}});
  }
  Out.Notes.insert(Out.Notes.end(), Found.Notes.begin(), Found.Notes.end());
  return std::vector<Table>{std::move(Out)};
}
} // namespace

namespace loopscope {
extern const View DistributedView = {
    .Name = "distributed",
    .Help = "computing, communicating, both: PyTorch's traces, runs with NCCL",
    .OfRuns = buildDistributed,
    .OnPage = false,
    .OnTraffic = true,
};
} // namespace loopscope
