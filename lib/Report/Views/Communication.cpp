// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The communication view: a row per operation and communicator, of all ranks
// together.

#include "Analysis/Communication.h"
#include "Analysis/RankInstances.h"
#include "Report/Print/Cells.h"
#include "Report/Views/View.h"
#include "Run/Combine/RollCall.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
const std::vector<Column> Columns = {
    {"operation", "Operation", Style::Text},
    {"communicator", "Communicator", Style::Text, 1},
    {"ranks", "Ranks", Style::Integer, 4},
    {"calls", "Calls", Style::Integer},
    {"bytes", "Bytes", Style::Integer, 3},
    {"mean_bytes", "Mean bytes", Style::Number, 2},
    {"mean_s", "Mean", Style::Duration},
    {"transfer_s", "Transfer", Style::Duration},
    {"wait_s", "Wait", Style::Duration},
    {"bus_bytes_per_s", "Bus bytes/s", Style::Number, 5}};

Cell size(double Bytes) {
  return real(Bytes, siBytes(static_cast<uint64_t>(Bytes)));
}

Row rowOf(const CommunicationRow &From) {
  auto Calls = static_cast<double>(From.Calls);
  bool HasBytes = From.Bytes != 0;
  Row Next;
  Next.Cells = {
      text(From.Operation),
      From.Communicator.empty() ? absent() : text(From.Communicator),
      count(From.Ranks),
      count(From.Calls),
      HasBytes ? Cell{static_cast<int64_t>(From.Bytes), siBytes(From.Bytes)}
               : absent(),
      HasBytes ? size(static_cast<double>(From.Bytes) / Calls) : absent(),
      From.TimedCalls != 0
          ? seconds(static_cast<double>(From.TotalNs) /
                    static_cast<double>(From.TimedCalls) / NsPerSecond)
          : absent(),
      From.IsSplit ? duration(From.TransferNs) : absent(),
      From.IsSplit ? duration(From.WaitNs) : absent(),
      From.BusBytesPerSecond > 0 ? size(From.BusBytesPerSecond) : absent()};
  return Next;
}

Table tableOf(const StageCommunication &Of) {
  Table Next;
  Next.Id = Of.Id;
  Next.Where = {{"stage", Of.Id}};
  Next.Title = Of.Title + ", communication of all ranks";
  Next.Columns = Columns;
  double Covered = 1;
  for (const CommunicationRow &Each : Of.Rows) {
    Next.Rows.push_back(rowOf(Each));
    if (Each.IsSplit)
      Covered = std::min(Covered, Each.Covered);
  }
  if (std::string Line = coverageNote(Covered); !Line.empty())
    Next.Notes.push_back(std::move(Line));
  Next.Notes.insert(Next.Notes.end(), Of.Notes.begin(), Of.Notes.end());
  return Next;
}

Result<std::vector<Table>> build(const std::vector<Run> &All,
                                 const ViewOptions & /*Options*/) {
  std::vector<Table> Tables;
  for (const StageCommunication &Each : communicationOf(All, lacksRanks(All)))
    Tables.push_back(tableOf(Each));
  if (Tables.empty())
    return Error{fmt::format(
        "{}: the run recorded no communication; mark it with "
        "[[loopscope::collective(\"name\", \"bytes\")]], or build a program "
        "that calls MPI or NCCL with mpi=auto,nccl=auto in LOOPSCOPE",
        All.front().Path)};
  return Tables;
}
} // namespace

const View loopscope::CommunicationView = {
    .Name = "communication",
    .Help = "what ranks sent each other: bytes, transfer, waiting, bandwidth",
    .OfRuns = build,
    .HasStageTables = true,
    .OnPage = false,
    .OnTraffic = true,
};
