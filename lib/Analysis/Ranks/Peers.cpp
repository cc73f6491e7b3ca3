// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums up messages by stage and pair of ranks.

#include "Analysis/Ranks/Peers.h"

#include "Run/Model/Stages.h"
#include "Support/Order.h"

#include <algorithm>
#include <map>

using namespace loopscope;

namespace {
using Pair = std::pair<size_t, uint32_t>; // process, peer

void add(const PeerSum &Of, PeerRow &To) {
  Messages &Sum = Of.Role == LOOPSCOPE_PEER_TO     ? To.Sent
                  : Of.Role == LOOPSCOPE_PEER_FROM ? To.Received
                                                   : To.Rooted;
  Sum.Calls += Of.Calls;
  Sum.Bytes += Of.Bytes;
}

// The host of each rank whose profile is present.
std::map<int64_t, std::string> hostsOf(const std::vector<Run> &All) {
  std::map<int64_t, std::string> Result;
  for (const Run &R : All)
    if (R.Rank >= 0)
      Result.try_emplace(R.Rank, R.Host);
  return Result;
}

StagePeers sumUp(const Stage &S, std::map<Pair, PeerRow> Rows) {
  StagePeers Result{S.Id, S.Title, {}, {}, 0, true};
  for (auto &[Key, Row] : Rows) {
    Result.Sent.Calls += Row.Sent.Calls;
    Result.Sent.Bytes += Row.Sent.Bytes;
    if (Row.PeerHost != Row.Host)
      Result.AbroadBytes += Row.Sent.Bytes;
    Result.KnowsHosts &= Row.Sent.Calls == 0 || !Row.PeerHost.empty();
    Result.Rows.push_back(std::move(Row));
  }
  sortLargestFirst(Result.Rows, &PeerRow::bytes);
  return Result;
}
} // namespace

std::vector<StagePeers> loopscope::peersOf(const std::vector<Run> &All) {
  std::vector<Stages> Found;
  for (const Run &R : All)
    Found.push_back(findStages(R));
  std::map<int64_t, std::string> Hosts = hostsOf(All);
  std::vector<StagePeers> Result;
  for (const Stage &S : stagesOfAll(Found)) {
    std::map<Pair, PeerRow> Rows;
    for (size_t I = 0; I < All.size(); ++I)
      for (const PeerSum &Each : All[I].Peers) {
        if (Found[I].Of[Each.Node] != S.Kind)
          continue;
        PeerRow &To = Rows[{I, Each.Peer}];
        To.Rank = All[I].Rank;
        To.Host = All[I].Host;
        To.Peer = Each.Peer;
        if (auto At = Hosts.find(Each.Peer); At != Hosts.end())
          To.PeerHost = At->second;
        add(Each, To);
      }
    if (!Rows.empty())
      Result.push_back(sumUp(S, std::move(Rows)));
  }
  return Result;
}
