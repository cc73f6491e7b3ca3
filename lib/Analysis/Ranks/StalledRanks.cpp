// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many instances of each collective each rank has begun, and who is behind;
// and which ranks' messages threads wait for.

#include "Analysis/Ranks/StalledRanks.h"

#include "Analysis/Thresholds.h"
#include "Analysis/Tree/UsefulTime.h"
#include "Run/Combine/RollCall.h"
#include "Run/Model/KnownNames.h"
#include "Support/Numbers.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

using namespace loopscope;

namespace {
// A collective's place, which is the same in all ranks. For MPI, the file is
// the communicator's name.
using CollectivePlace = std::tuple<std::string, std::string, uint32_t>;

constexpr const char *World = "MPI_COMM_WORLD";
constexpr const char *Part = "communicator ";
constexpr const char *OtherParts = "other communicators ";
constexpr size_t MissingAtMost = 4;

// The communicator that the file of a call's site names; empty: none.
std::string communicatorOf(const std::string &File) {
  return File == World || File.starts_with(Part) || File.starts_with(OtherParts)
             ? File
             : std::string();
}

// How far a rank is with a collective.
struct Taken {
  uint64_t Begun = 0;
  uint64_t Ended = 0;
  int64_t OpenNs = -1; // -1: it isn't in it
};

struct RankState {
  std::map<CollectivePlace, Taken> Collectives;
  std::set<std::string> Files; // of all sites that it has come to
};

RankState stateOf(const RankNow &Rank) {
  RankState Result;
  const Run &R = *Rank.Of;
  for (const Node &N : R.Nodes) {
    if (N.Site == None)
      continue;
    const Site &S = R.Sites[N.Site];
    Result.Files.insert(S.File);
    // Nobody leaves MPI_Init or MPI_Finalize before all have come.
    if (N.Kind != LOOPSCOPE_KIND_COLLECTIVE && !startsOrEndsMpi(S.Name))
      continue;
    Taken &To = Result.Collectives[{S.Name, S.File, S.Line}];
    To.Ended += N.Spans.count();
    To.Begun += N.Spans.count() + (N.Open ? 1 : 0);
    if (N.Open)
      To.OpenNs = std::max(To.OpenNs, Rank.NowNs - N.EnterNs);
  }
  return Result;
}

// Whether R ended in a collective: a library that gives up calls exit() there.
bool isInCollective(const Run &R) {
  return std::ranges::any_of(R.Nodes, [](const Node &N) {
    return N.Open && N.Kind == LOOPSCOPE_KIND_COLLECTIVE;
  });
}

// Whether the rank of STATE is one of those that take part in a collective
// there.
bool takesPart(const RankState &State, const CollectivePlace &At) {
  const std::string &File = std::get<1>(At);
  return !File.starts_with(Part) || State.Files.contains(File);
}

// The open child of node AT; None: there is none.
uint32_t openBelow(const Run &R, uint32_t At) {
  for (uint32_t Child : R.Nodes[At].Children)
    if (R.Nodes[Child].Open)
      return Child;
  return None;
}

// The number of the step that the loop LOOP is in.
int64_t stepOf(const Run &R, uint32_t Loop) {
  uint64_t Done = 0;
  for (uint32_t Child : R.Nodes[Loop].Children)
    if (R.Nodes[Child].Kind == LOOPSCOPE_KIND_STEP)
      Done += R.Nodes[Child].Spans.count();
  return static_cast<int64_t>(Done);
}

MissingRank missing(const RankNow &Rank) {
  MissingRank Result;
  const Run &R = *Rank.Of;
  Result.Rank = R.Rank;
  Result.Host = R.Host;
  Result.HasEnded = !Rank.IsAlive;
  for (const Thread &T : R.Threads) {
    if (!T.IsMain || T.Root == None)
      continue;
    uint32_t Innermost = None; // that has a place in the source
    for (uint32_t At = openBelow(R, T.Root); At != None;
         At = openBelow(R, At)) {
      const Node &N = R.Nodes[At];
      if (N.Kind == LOOPSCOPE_KIND_STEP && Result.Step < 0)
        Result.Step = stepOf(R, N.Parent);
      if (N.Site != None)
        Innermost = At;
    }
    if (Innermost == None)
      continue;
    const Site &S = R.Sites[R.Nodes[Innermost].Site];
    Result.Phase = S.Name;
    Result.File = S.File;
    Result.Line = S.Line;
    Result.IsWaiting = isWaitOrCollective(R.Nodes[Innermost].Kind);
  }
  return Result;
}

bool doesNotWait(const MissingRank &Of) { return !Of.IsWaiting; }

bool isForOneThatDoesNotWait(const StalledCall &Of) {
  return std::ranges::any_of(Of.Missing, doesNotWait);
}

// "load, train.cpp:12"
std::string phaseText(const MissingRank &Of) {
  std::string Text = Of.Phase;
  if (!Of.File.empty())
    Text += ", " + std::string(fileName(Of.File));
  return Of.Line == 0 ? Text : Text + fmt::format(":{}", Of.Line);
}

std::string missingText(const MissingRank &Of) {
  std::string Text = fmt::format("rank {}", Of.Rank);
  if (!Of.HasProfile)
    return Text + ", of which there is no profile";
  Text += (Of.Host.empty() ? "" : " on " + Of.Host) + ", which ";
  if (Of.HasEnded)
    return Text + "has ended";
  if (Of.Phase.empty())
    return Text + "is in no phase";
  return Text + "is in " + phaseText(Of);
}
} // namespace

namespace {
// The collectives in which a rank has been for LEAST_NS.
std::vector<StalledCall> stalledFor(const std::vector<RankNow> &All,
                                    int64_t LeastNs) {
  std::vector<RankState> States;
  std::map<CollectivePlace, Taken> Most; // over all ranks
  for (const RankNow &Rank : All) {
    States.push_back(stateOf(Rank));
    for (const auto &[At, Of] : States.back().Collectives) {
      Taken &To = Most[At];
      To.Begun = std::max(To.Begun, Of.Begun);
      To.Ended = std::max(To.Ended, Of.Ended);
    }
  }
  std::vector<StalledCall> Result;
  for (const auto &[At, Last] : Most) {
    if (Last.Ended == Last.Begun)
      continue; // some rank has left it, so all had come
    const auto &[Name, File, Line] = At;
    StalledCall Next;
    Next.Name = Name;
    Next.Communicator = communicatorOf(File);
    for (size_t I = 0; I < All.size(); ++I) {
      auto Found = States[I].Collectives.find(At);
      Taken Of = Found == States[I].Collectives.end() ? Taken{} : Found->second;
      if (Of.Begun == Last.Begun && Of.OpenNs >= 0 && All[I].IsAlive) {
        Next.Waiting.push_back(All[I].Of->Rank);
        Next.LongestNs = std::max(Next.LongestNs, Of.OpenNs);
      } else if (Of.Begun < Last.Begun && takesPart(States[I], At)) {
        Next.Missing.push_back(missing(All[I]));
      }
    }
    std::ranges::stable_partition(Next.Missing, doesNotWait);
    if (!Next.Waiting.empty() && !Next.Missing.empty() &&
        Next.LongestNs >= LeastNs)
      Result.push_back(std::move(Next));
  }
  std::ranges::stable_partition(Result, isForOneThatDoesNotWait);
  return Result;
}

// The call in which THREAD of a rank waits for messages.
StalledCall messageCall(const std::vector<RankNow> &All, const RankNow &Rank,
                        const Thread &Waiter) {
  const Node &N = Rank.Of->Nodes[Waiter.AwaitingIn];
  StalledCall Result;
  if (N.Site != None) {
    Result.Name = Rank.Of->Sites[N.Site].Name;
    Result.Communicator = communicatorOf(Rank.Of->Sites[N.Site].File);
  }
  Result.Waiting = {Rank.Of->Rank};
  Result.LongestNs = Rank.NowNs - N.EnterNs;
  Result.NeedsMore = Waiter.AwaitsMore;
  Result.NeedsOne = Waiter.Awaited.size() > 1;
  for (int64_t Peer : Waiter.Awaited) {
    if (Peer == Thread::Any) {
      Result.NeedsAny = true;
      continue;
    }
    auto Found = std::ranges::find_if(
        All, [&](const RankNow &Each) { return Each.Of->Rank == Peer; });
    if (Found != All.end()) {
      Result.Missing.push_back(missing(*Found));
      continue;
    }
    Result.Missing.emplace_back();
    Result.Missing.back().Rank = Peer;
    Result.Missing.back().HasProfile = false;
  }
  return Result;
}

// The calls in which a thread has waited for messages for LEAST_NS, those of
// ranks that wait for the same ones together.
std::vector<StalledCall> stalledMessages(const std::vector<RankNow> &All,
                                         int64_t LeastNs) {
  std::vector<StalledCall> Result;
  std::set<int64_t> Stalled;
  for (const RankNow &Rank : All)
    for (const Thread &Each : Rank.Of->Threads) {
      if (!Rank.IsAlive || Each.AwaitingIn == None ||
          Rank.NowNs - Rank.Of->Nodes[Each.AwaitingIn].EnterNs < LeastNs)
        continue;
      Stalled.insert(Rank.Of->Rank);
      StalledCall Next = messageCall(All, Rank, Each);
      auto Same = std::ranges::find_if(Result, [&](const StalledCall &Of) {
        return Of.Name == Next.Name && Of.Communicator == Next.Communicator &&
               Of.NeedsMore == Next.NeedsMore && Of.NeedsAny == Next.NeedsAny &&
               std::ranges::equal(Of.Missing, Next.Missing, {},
                                  &MissingRank::Rank, &MissingRank::Rank);
      });
      if (Same == Result.end()) {
        Result.push_back(std::move(Next));
        continue;
      }
      Same->Waiting.push_back(Rank.Of->Rank);
      Same->LongestNs = std::max(Same->LongestNs, Next.LongestNs);
    }
  std::ranges::stable_partition(Result, [&](const StalledCall &Of) {
    return std::ranges::any_of(Of.Missing, [&](const MissingRank &Each) {
      return !Stalled.contains(Each.Rank);
    });
  });
  return Result;
}
} // namespace

std::vector<StalledCall>
loopscope::findStalled(const std::vector<RankNow> &All) {
  int64_t LeastNs = StalledSeconds * static_cast<int64_t>(NsPerSecond);
  std::vector<StalledCall> Result = stalledFor(All, LeastNs);
  std::ranges::move(stalledMessages(All, LeastNs), std::back_inserter(Result));
  bool IsOneHost = std::ranges::all_of(All, [&](const RankNow &Each) {
    return Each.Of->Host == All.front().Of->Host;
  });
  for (StalledCall &Each : Result)
    for (MissingRank &Of : Each.Missing)
      if (IsOneHost)
        Of.Host.clear();
  return Result;
}

std::string loopscope::unfinishedText(const std::vector<Run> &All) {
  std::vector<RankNow> Ends;
  for (const Run &R : All) {
    bool HasEnded = R.Ended != End::Running && R.Ended != End::Reset;
    if (!HasEnded || R.Rank < 0)
      return {};
    Ends.push_back({&R, R.Ended != End::Exited || isInCollective(R), R.WallNs});
  }
  std::vector<StalledCall> Found = stalledFor(Ends, 0);
  if (Found.empty())
    return {};
  const StalledCall &Of = Found.front();
  const MissingRank &First = Of.Missing.front();
  return fmt::format(
      "When the run ended, rank{} {} {} in {}{} and waited for rank {}{}{}{}.",
      Of.Waiting.size() == 1 ? "" : "s", rangesText(Of.Waiting),
      Of.Waiting.size() == 1 ? "was" : "were", Of.Name,
      Of.Communicator.empty() ? "" : ", " + Of.Communicator + ",", First.Rank,
      First.HasEnded        ? ", which had ended"
      : First.Phase.empty() ? ", which was in no phase"
                            : ", which was in " + phaseText(First),
      First.Step < 0 ? "" : fmt::format(", in step {}", First.Step),
      Of.Missing.size() == 1
          ? ""
          : fmt::format(", and for {} more", Of.Missing.size() - 1));
}

std::string loopscope::stalledText(const StalledCall &Of) {
  std::string Who = Of.NeedsOne ? "at least one of: " : "";
  for (size_t I = 0; I < Of.Missing.size() && I < MissingAtMost; ++I)
    Who += (I == 0 ? "" : "; ") + missingText(Of.Missing[I]);
  if (Of.Missing.size() > MissingAtMost)
    Who += fmt::format("; and {}{} more", Of.NeedsMore ? "at least " : "",
                       Of.Missing.size() - MissingAtMost + Of.NeedsMore);
  if (Of.NeedsAny)
    Who = "a message from any rank";
  return fmt::format("rank{} {} {} been in {}{} for {} s and wait{} for {}",
                     Of.Waiting.size() == 1 ? "" : "s", rangesText(Of.Waiting),
                     Of.Waiting.size() == 1 ? "has" : "have", Of.Name,
                     Of.Communicator.empty() ? ""
                                             : ", " + Of.Communicator + ",",
                     Of.LongestNs / static_cast<int64_t>(NsPerSecond),
                     Of.Waiting.size() == 1 ? "s" : "", Who);
}
