// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The communication view: a row per operation and communicator, over all ranks;
// or per rank and peer that it exchanged messages with.

#include "Analysis/Ranks/Communication.h"
#include "Analysis/Ranks/Peers.h"
#include "Analysis/Ranks/RankInstances.h"
#include "Analysis/Verdict/Judge.h"
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

const std::vector<Column> PeerColumns = {
    {"rank", "Rank", Style::Integer},
    {"host", "Host", Style::Text, 1},
    {"peer", "Peer", Style::Integer},
    {"peer_host", "Peer's host", Style::Text, 1},
    {"sent_calls", "Sent", Style::Integer, 3},
    {"sent_bytes", "Bytes sent", Style::Integer},
    {"received_calls", "Received", Style::Integer, 3},
    {"received_bytes", "Bytes received", Style::Integer},
    {"rooted_calls", "As root", Style::Integer, 4},
    {"rooted_bytes", "Bytes as root", Style::Integer, 4}};

// The two cells of MESSAGES.
void addMessages(const Messages &Of, Row &To) {
  To.Cells.push_back(count(Of.Calls));
  To.Cells.push_back({static_cast<int64_t>(Of.Bytes), siBytes(Of.Bytes)});
}

Row rowOf(const PeerRow &From) {
  Row Next;
  Next.Cells = {From.Rank >= 0 ? count(static_cast<uint64_t>(From.Rank))
                               : absent(),
                text(From.Host), count(static_cast<uint64_t>(From.Peer)),
                From.PeerHost.empty() ? absent() : text(From.PeerHost)};
  for (const Messages &Each : {From.Sent, From.Received, From.Rooted})
    addMessages(Each, Next);
  return Next;
}

Table tableOf(const StagePeers &Of) {
  Table Next;
  Next.Id = Of.Id;
  Next.Where = {{"stage", Of.Id}};
  Next.Title = Of.Title + ", messages between ranks";
  Next.Columns = PeerColumns;
  for (const PeerRow &Each : Of.Rows)
    Next.Rows.push_back(rowOf(Each));
  if (Of.KnowsHosts && Of.Sent.Bytes != 0)
    Next.Notes.push_back(fmt::format(
        "Of the {} sent, {} went to other hosts.", siBytes(Of.Sent.Bytes),
        percent(static_cast<double>(Of.AbroadBytes) /
                static_cast<double>(Of.Sent.Bytes))));
  return Next;
}

Result<std::vector<Table>> byPeer(const std::vector<Run> &All) {
  std::vector<Table> Tables;
  for (const StagePeers &Each : peersOf(All))
    Tables.push_back(tableOf(Each));
  if (Tables.empty())
    return Error{fmt::format(
        "{}: the run recorded no messages; MPI's are recorded in programs "
        "linked through loopscope-launch, unless LOOPSCOPE=mpi=off",
        All.front().Path)};
  return Tables;
}

Result<std::vector<Table>> build(const std::vector<Run> &All,
                                 const ViewOptions &Options) {
  if (Options.By == Grouping::Peer)
    return byPeer(All);
  std::vector<Table> Tables;
  for (const StageCommunication &Each : communicationOf(All, lacksRanks(All)))
    Tables.push_back(tableOf(Each));
  if (Tables.empty())
    return Error{
        fmt::format("{}: the run recorded no communication; mark it with "
                    "[[loopscope::collective(\"name\", \"bytes\")]], or, if "
                    "the program calls MPI or NCCL, link it through "
                    "loopscope-launch and run it without mpi=off and nccl=off",
                    All.front().Path)};
  return Tables;
}
} // namespace

const View loopscope::CommunicationView = {
    .Name = "communication",
    .Help = "what ranks sent each other: bytes, transfer, waiting, bandwidth",
    .OfRuns = build,
    .HasStageTables = true,
    .Groups = {Grouping::Peer},
    .OnPage = false,
    .OnTraffic = true,
};
