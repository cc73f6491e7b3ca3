// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds plain phases, adds them up by call path, and takes them out.

#include "Analysis/Ranks/FoldedRanks.h"

#include "Analysis/Tree/Amounts.h"
#include "Analysis/Tree/UsefulTime.h"
#include "Analysis/Verdict/AccountUses.h"
#include "Run/Combine/SelectThread.h"
#include "Run/Model/Stages.h"

#include <algorithm>
#include <functional>
#include <utility>

using namespace loopscope;

namespace {
// Whether all that is known of N, a phase, is how often it ran and for how
// long.
bool hasTimesOnly(const Run &R, const Node &N) {
  return N.Kind == LOOPSCOPE_KIND_PHASE && N.Site != None &&
         R.Sites[N.Site].OffSinceNs < 0 && R.useOf(N) == SiteUse::None &&
         N.Key == None && N.Inputs == None && !N.Warmup && !N.Excluded &&
         !N.Open && !N.IsCut && N.EndedEarly == 0 && !N.EndCameLater &&
         !N.EndedElsewhere && !N.EndedOnOtherFibre && !N.FibreEnded &&
         N.ExcludedNs == 0 && N.HookNs >= 0 && N.InclusiveNs >= 0 &&
         N.Cpu.InterruptedNs == 0 && N.Samples == 0 && N.RateCount == 0 &&
         N.Calls.Launches == 0 && N.Calls.LaunchNs == 0 && N.Calls.Waits == 0 &&
         N.Calls.WaitNs == 0 && N.Calls.Others == 0 && N.Calls.OtherNs == 0 &&
         N.Bytes == 0 && !N.IsEnqueued && N.FirstSteps == 0 && N.Requests == 0;
}

// Whether anything of R but its tree, or what is compared between ranks, may
// refer to phases.
bool hasMoreThanTimes(const Run &R) {
  auto IsEmpty = [](const auto &Each) { return Each.empty(); };
  return R.By->KeepsEvents || R.Gpu.hasData() || !R.Gpu.Devices.empty() ||
         !R.Gpu.Nodes.empty() || !R.Gpu.Events.empty() || !R.Whatif.empty() ||
         !std::ranges::all_of(R.Timeline, IsEmpty) || !R.FileLanes.empty() ||
         !amountsOf(R).empty();
}

// Calls DO(node) for each that another record than a node refers to.
template <typename Function> void forEachReference(const Run &R, Function Do) {
  for (const CollectiveInstance &Each : R.Collectives) {
    Do(Each.Node);
    for (const WorkPhase &Phase : Each.Phases)
      Do(Phase.Node);
  }
  for (const OwnStep &Each : R.OwnSteps) {
    Do(Each.Node);
    for (const StepPhase &Phase : Each.Phases) {
      Do(Phase.Node);
      Do(Phase.MetNode);
    }
  }
  for (const PeerSum &Each : R.Peers)
    Do(Each.Node);
  for (const MetricSum &Each : R.Devices.Sums)
    Do(Each.Node);
  for (const StackSample &Each : R.Stacks.Samples)
    Do(Each.Node);
  for (const OperatorLink &Each : R.OperatorLinks) {
    Do(Each.Backward);
    Do(Each.Forward);
  }
  for (const Thread &Each : R.Threads)
    Do(Each.AwaitingIn);
}

// By node, whether it is a plain phase in a batch, with all below it.
std::vector<bool> plainPhases(const Run &R) {
  std::vector<bool> Result(R.Nodes.size());
  if (hasMoreThanTimes(R))
    return Result;
  enum class Place : uint8_t { Outside, InBatch, Elsewhere };
  std::vector<Place> Places(R.Nodes.size(), Place::Outside); // of children
  std::vector<int64_t> Own(R.Nodes.size());
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    Own[I] = N.InclusiveNs;
    if (N.Parent == None)
      continue;
    // A damaged file may give a child more than its parent.
    int64_t &Left = Own[N.Parent];
    Left =
        N.InclusiveNs >= 0 && N.InclusiveNs <= Left ? Left - N.InclusiveNs : -1;
    Place Around = Places[N.Parent];
    bool IsApart = isWaitOrCollective(N.Kind) ||
                   N.Kind == LOOPSCOPE_KIND_DRAW || N.Key != None ||
                   N.Inputs != None || R.useOf(N) != SiteUse::None;
    Places[I] = IsApart || Around == Place::Elsewhere ? Place::Elsewhere
                : N.Kind == LOOPSCOPE_KIND_BATCH      ? Place::InBatch
                                                      : Around;
    Result[I] = Around == Place::InBatch && hasTimesOnly(R, N);
  }
  forEachReference(R, [&](uint32_t Node) {
    if (Node != None)
      Result[Node] = false;
  });
  // Children come after their parents.
  for (size_t I = R.Nodes.size(); I-- > 0;) {
    Result[I] = Result[I] && Own[I] >= 0;
    if (!Result[I] && R.Nodes[I].Parent != None)
      Result[R.Nodes[I].Parent] = false;
  }
  return Result;
}

bool hasSteps(const Run &R) {
  return std::ranges::any_of(R.Nodes, [](const Node &N) {
    return N.Kind == LOOPSCOPE_KIND_STEP && N.Spans.count() != 0;
  });
}

// R without the nodes that are GONE.
Run without(Run R, std::vector<bool> Gone) {
  Gone.flip();
  std::vector<bool> AllThreads(R.Threads.size(), true);
  return keptParts(std::move(R), AllThreads, Gone);
}

// Drops the sites of R that have no node, if MAY_GO says so of their index.
template <typename Predicate> void dropSites(Run &R, Predicate MayGo) {
  std::vector<bool> IsUsed(R.Sites.size());
  for (const Node &N : R.Nodes)
    if (N.Site != None)
      IsUsed[N.Site] = true;
  std::vector<uint32_t> To(R.Sites.size(), None);
  std::vector<Site> Kept;
  for (uint32_t I = 0; I < R.Sites.size(); ++I) {
    if (!IsUsed[I] && R.Sites[I].OffSinceNs < 0 && MayGo(I))
      continue;
    To[I] = static_cast<uint32_t>(Kept.size());
    Kept.push_back(std::move(R.Sites[I]));
  }
  Kept.shrink_to_fit();
  R.Sites = std::move(Kept);
  for (Node &N : R.Nodes)
    N.Site = N.Site == None ? None : To[N.Site];
}

void addTo(Node &To, const Node &From) {
  for (int64_t Node::*Ns :
       {&Node::InclusiveNs, &Node::SelfNs, &Node::HookNs, &Node::FinishedNs})
    addSaturating(To.*Ns, From.*Ns);
  To.Spans.merge(From.Spans);
  To.Cpu.add(From.Cpu);
}

// By how many levels the node that stands for node I is above it; None: it
// isn't there.
uint32_t levelsUp(const Run &R, uint32_t I) {
  uint32_t Levels = 0;
  for (uint32_t At = I; At != R.HostTimes[I].StandsFor; ++Levels) {
    At = R.Nodes[At].Parent;
    if (At == None)
      return None;
  }
  return Levels;
}
} // namespace

Run loopscope::withoutPlainPhases(Run From) {
  if (!hasSteps(From))
    return From;
  std::vector<bool> Plain = plainPhases(From);
  From = without(std::move(From), std::move(Plain));
  dropSites(From, [](uint32_t) { return true; });
  return From;
}

size_t RankFolder::PathHash::operator()(const PathKey &Of) const {
  auto [Parent, Site, More] = Of;
  constexpr uint64_t Spread = 0x9e3779b97f4a7c15;
  uint64_t Hash = ((uint64_t{Parent} << 32) | Site) * Spread;
  return static_cast<size_t>((Hash ^ (Hash >> 29) ^ More) * Spread >> 8);
}

uint32_t RankFolder::siteOf(const Site &Of) {
  std::string Key = Of.Name;
  for (const std::string *Each : {&Of.File, &Of.Function})
    (Key += '\0') += *Each;
  Key += '\0' + std::to_string(Of.Line) + ' ' + std::to_string(Of.Kind);
  return Sites.try_emplace(std::move(Key), static_cast<uint32_t>(Sites.size()))
      .first->second;
}

// The numbers of the sites OF a run. Those of FIRST, of the first run, have
// theirs by place.
std::vector<uint32_t> RankFolder::sitesOf(const std::vector<Site> &Of,
                                          const std::vector<Site> &First) {
  auto IsSame = [](const Site &A, const Site &B) {
    return A.Name == B.Name && A.Line == B.Line && A.Kind == B.Kind &&
           A.File == B.File && A.Function == B.Function;
  };
  std::vector<uint32_t> Result;
  Result.reserve(Of.size());
  for (size_t I = 0; I < Of.size(); ++I)
    Result.push_back(I < First.size() && IsSame(Of[I], First[I])
                         ? OfFirst[I]
                         : siteOf(Of[I]));
  return Result;
}

uint32_t RankFolder::pathOf(const PathKey &Key) {
  auto [Found, IsNew] =
      Paths.try_emplace(Key, static_cast<uint32_t>(Holders.size()));
  if (IsNew)
    Holders.emplace_back();
  return Found->second;
}

// By node of R, its path. SITES has the number of each of its sites.
std::vector<uint32_t> RankFolder::pathsOf(const Run &R,
                                          const std::vector<uint32_t> &Sites) {
  std::vector<bool> HasStage(R.Threads.size());
  for (const Node &N : R.Nodes)
    if (isStage(N.Kind))
      HasStage[N.Thread] = true;
  std::vector<uint32_t> Result(R.Nodes.size());
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (N.Parent == None) {
      const Thread &Of = R.Threads[N.Thread];
      Site Name;
      Name.Kind = LOOPSCOPE_KIND_ROOT;
      Name.Name = Of.Name;
      Result[I] =
          pathOf({None, siteOf(Name),
                  uint32_t{Of.IsMain} + 2 * uint32_t{HasStage[N.Thread]}});
      continue;
    }
    // A plain phase that another node stands for is another one's, too.
    uint32_t Levels = N.Kind == LOOPSCOPE_KIND_PHASE ? levelsUp(R, I) : 0;
    Result[I] =
        pathOf({Result[N.Parent], N.Site == None ? None : Sites[N.Site],
                static_cast<uint32_t>(N.Kind) + (uint32_t{N.Warmup} << 8) +
                    (uint32_t{N.Excluded} << 9) + (Levels << 10)});
  }
  return Result;
}

void RankFolder::add(Run Next, std::vector<Run> &Runs) {
  Next.HostTimes = hostTimesOf(Next);
  auto KnownBefore = static_cast<uint32_t>(Sites.size());
  std::vector<uint32_t> SiteNumbers;
  if (Runs.empty()) // the first run has no other to be like
    SiteNumbers = OfFirst = sitesOf(Next.Sites, {});
  else
    SiteNumbers = sitesOf(Next.Sites, Runs.front().Sites);
  std::vector<uint32_t> PathOf = pathsOf(Next, SiteNumbers);
  std::vector<bool> Plain = plainPhases(Next);
  // A phase goes if all below it go.
  std::vector<bool> Goes = Plain;
  for (uint32_t I = static_cast<uint32_t>(Next.Nodes.size()); I-- > 0;) {
    Goes[I] = Goes[I] && Holders[PathOf[I]].Run != None;
    if (!Goes[I] && Next.Nodes[I].Parent != None)
      Goes[Next.Nodes[I].Parent] = false;
  }
  std::vector<HostTime> Times;
  std::vector<uint32_t> To(Next.Nodes.size(), None);
  for (uint32_t I = 0; I < Next.Nodes.size(); ++I) {
    Holder &At = Holders[PathOf[I]];
    if (Goes[I]) {
      Run &Of = Runs[At.Run];
      addTo(Of.Nodes[At.Node], Next.Nodes[I]);
      Of.HostTimes[At.Node].add(Next.HostTimes[I]);
      continue;
    }
    To[I] = static_cast<uint32_t>(Times.size());
    Times.push_back(Next.HostTimes[I]);
    Times.back().StandsFor = To[Times.back().StandsFor];
    if (Plain[I] && At.Run == None)
      At = {static_cast<uint32_t>(Runs.size()), To[I]};
  }
  if (Times.size() != Next.Nodes.size()) {
    Next = without(std::move(Next), std::move(Goes));
    Next.HostTimes = std::move(Times);
    dropSites(Next, [&](uint32_t I) { return SiteNumbers[I] < KnownBefore; });
  }
  Runs.push_back(std::move(Next));
}
