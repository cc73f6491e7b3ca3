// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The communication view: a row per operation and communicator, over all ranks;
// or per rank and peer that it exchanged messages with.

#include "Analysis/Ranks/Communication.h"
#include "Analysis/Ranks/Peers.h"
#include "Analysis/Ranks/RankInstances.h"
#include "Analysis/Verdict/Judge.h"
#include "Report/Print/Cells.h"
#include "Report/Print/Fields.h"
#include "Report/Views/View.h"
#include "Run/Combine/RollCall.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
Cell size(double Bytes) {
  return real(Bytes, siBytes(static_cast<uint64_t>(Bytes)));
}
using loopscope::size;

const Fields<CommunicationRow> CommunicationFields = {
    {{"operation", "Operation", Style::Text},
     [](const CommunicationRow &Of) { return text(Of.Operation); }},
    {{"communicator", "Communicator", Style::Text, 1},
     [](const CommunicationRow &Of) {
       return Of.Communicator.empty() ? absent() : text(Of.Communicator);
     }},
    {{"ranks", "Ranks", Style::Integer, 4},
     [](const CommunicationRow &Of) { return count(Of.Ranks); }},
    {{"calls", "Calls", Style::Integer},
     [](const CommunicationRow &Of) { return count(Of.Calls); }},
    {{"bytes", "Bytes", Style::Integer, 3},
     [](const CommunicationRow &Of) {
       return Of.Bytes != 0 ? size(Of.Bytes) : absent();
     }},
    {{"mean_bytes", "Mean bytes", Style::Number, 2},
     [](const CommunicationRow &Of) {
       return Of.Bytes != 0 ? size(static_cast<double>(Of.Bytes) /
                                   static_cast<double>(Of.Calls))
                            : absent();
     }},
    {{"mean_s", "Mean", Style::Time},
     [](const CommunicationRow &Of) {
       return Of.TimedCalls != 0
                  ? seconds(static_cast<double>(Of.TotalNs) /
                            static_cast<double>(Of.TimedCalls) / NsPerSecond)
                  : absent();
     }},
    {{"transfer_s", "Transfer", Style::Time},
     [](const CommunicationRow &Of) {
       return Of.IsSplit ? duration(Of.TransferNs) : absent();
     }},
    {{"wait_s", "Wait", Style::Time},
     [](const CommunicationRow &Of) {
       return Of.IsSplit ? duration(Of.WaitNs) : absent();
     }},
    {{"bus_bytes_per_s", "Bus bytes/s", Style::Number, 5},
     [](const CommunicationRow &Of) {
       return Of.BusBytesPerSecond > 0 ? size(Of.BusBytesPerSecond) : absent();
     }}};

Table tableOf(const StageCommunication &Of) {
  Table Next;
  Next.Id = Of.Id;
  Next.Where = {{"stage", Of.Id}};
  Next.Title = Of.Title + ", communication of all ranks";
  Next.Columns = columnsOf(CommunicationFields);
  double Covered = 1;
  for (const CommunicationRow &Each : Of.Rows) {
    Next.Rows.push_back({cellsOf(CommunicationFields, Each)});
    if (Each.IsSplit)
      Covered = std::min(Covered, Each.Covered);
  }
  if (std::string Line = coverageNote(Covered); !Line.empty())
    Next.Notes.push_back(std::move(Line));
  Next.Notes.insert(Next.Notes.end(), Of.Notes.begin(), Of.Notes.end());
  return Next;
}

const Fields<PeerRow> PeerShown = {
    {{"rank", "Rank", Style::Integer},
     [](const PeerRow &Of) {
       return Of.Rank >= 0 ? count(static_cast<uint64_t>(Of.Rank)) : absent();
     }},
    {{"host", "Host", Style::Text, 1},
     [](const PeerRow &Of) { return text(Of.Host); }},
    {{"peer", "Peer", Style::Integer},
     [](const PeerRow &Of) { return count(static_cast<uint64_t>(Of.Peer)); }},
    {{"peer_host", "Peer's host", Style::Text, 1},
     [](const PeerRow &Of) {
       return Of.PeerHost.empty() ? absent() : text(Of.PeerHost);
     }},
    {{"sent_calls", "Sent", Style::Integer, 3},
     [](const PeerRow &Of) { return count(Of.Sent.Calls); }},
    {{"sent_bytes", "Bytes sent", Style::Integer},
     [](const PeerRow &Of) { return size(Of.Sent.Bytes); }},
    {{"received_calls", "Received", Style::Integer, 3},
     [](const PeerRow &Of) { return count(Of.Received.Calls); }},
    {{"received_bytes", "Bytes received", Style::Integer},
     [](const PeerRow &Of) { return size(Of.Received.Bytes); }},
    {{"rooted_calls", "As root", Style::Integer, 4},
     [](const PeerRow &Of) { return count(Of.Rooted.Calls); }},
    {{"rooted_bytes", "Bytes as root", Style::Integer, 4},
     [](const PeerRow &Of) { return size(Of.Rooted.Bytes); }}};

Table tableOf(const StagePeers &Of) {
  Table Next;
  Next.Id = Of.Id;
  Next.Where = {{"stage", Of.Id}};
  Next.Title = Of.Title + ", messages between ranks";
  Next.Columns = columnsOf(PeerShown);
  for (const PeerRow &Each : Of.Rows)
    Next.Rows.push_back({cellsOf(PeerShown, Each)});
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
  if (Tables.empty() && !All.front().By->TakesWords)
    return Error{fmt::format("{}: {} has no messages between pairs of ranks",
                             All.front().Path, All.front().By->Noun)};
  if (Tables.empty())
    return Error{fmt::format(
        "{}: the run recorded no messages; MPI's are recorded in programs "
        "linked through loopscope-launch, unless LOOPSCOPE=mpi=off",
        All.front().Path)};
  return Tables;
}

Result<std::vector<Table>> buildCommunication(const std::vector<Run> &All,
                                              const ViewOptions &Options) {
  if (Options.By == Grouping::Peer)
    return byPeer(All);
  std::vector<Table> Tables;
  for (const StageCommunication &Each : communicationOf(All, lacksRanks(All)))
    Tables.push_back(tableOf(Each));
  if (Tables.empty() && !All.front().By->TakesWords)
    return Error{fmt::format("{}: {} without communication; PyTorch's profiler "
                             "records NCCL's and Gloo's operations",
                             All.front().Path, All.front().By->Noun)};
  if (Tables.empty())
    return Error{
        fmt::format("{}: the run recorded no communication; mark it with "
                    "[[loopscope::collective(\"name\", \"bytes\")]], or, if "
                    "the program calls MPI, NCCL or Gloo, link it through "
                    "loopscope-launch and run it without mpi=off, nccl=off and "
                    "gloo=off",
                    All.front().Path)};
  return Tables;
}
} // namespace

namespace loopscope {
extern const View CommunicationView = {
    .Name = "communication",
    .Help = "what ranks sent each other: bytes, transfer, waiting, bandwidth",
    .OfRuns = buildCommunication,
    .HasStageTables = true,
    .Groups = {Grouping::Peer},
    .OnPage = false,
    .OnTraffic = true,
    .Phases = PhasesOfRanks::None,
};
} // namespace loopscope
