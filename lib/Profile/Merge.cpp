// Renumbering and joining of profiles.
#include "Profile/Merge.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace loopscope;

namespace {
void add(Integrity &To, const Integrity &From) {
  To.SpansLost += From.SpansLost;
  To.DepthFolded += From.DepthFolded;
  To.ClockClamped += From.ClockClamped;
  To.Popped += From.Popped;
  To.StrayEnds += From.StrayEnds;
  To.Reentrant += From.Reentrant;
  To.BadSamples += From.BadSamples;
  To.EventsDropped += From.EventsDropped;
  To.ThreadsLost += From.ThreadsLost;
  To.OpenSpans += From.OpenSpans;
  To.TornNodes += From.TornNodes;
  To.BadRecords += From.BadRecords;
  To.BytesMissing += From.BytesMissing;
  To.Anonymous |= From.Anonymous;
  To.TscDistrusted |= From.TscDistrusted;
  for (const std::string &Name : From.MissingFiles)
    if (std::find(To.MissingFiles.begin(), To.MissingFiles.end(), Name) ==
        To.MissingFiles.end())
      To.MissingFiles.push_back(Name);
}

// The state that says most about what went wrong.
int badness(const Profile &P) {
  if (P.Ended == End::Signal)
    return 3;
  if (P.Ended == End::Running)
    return 2;
  return P.EndCode != 0;
}

using SiteKey =
    std::tuple<loopscope_kind, std::string, std::string, std::string, uint32_t>;

void append(Profile &To, Profile &&From, std::map<SiteKey, uint32_t> &SiteOf) {
  std::vector<uint32_t> NewSite;
  for (Site &S : From.Sites) {
    auto [Found, IsNew] = SiteOf.try_emplace(
        {S.Kind, S.Name, S.File, S.Function, S.Line}, To.Sites.size());
    if (IsNew)
      To.Sites.push_back(std::move(S));
    NewSite.push_back(Found->second);
  }
  auto FirstNode = static_cast<uint32_t>(To.Nodes.size());
  auto FirstThread = static_cast<uint32_t>(To.Threads.size());
  for (Node &N : From.Nodes) {
    N.Parent += N.Parent == None ? 0 : FirstNode;
    N.Thread += FirstThread;
    N.Site = N.Site == None ? None : NewSite[N.Site];
    for (uint32_t &Child : N.Children)
      Child += FirstNode;
    To.Nodes.push_back(std::move(N));
  }
  for (Thread &T : From.Threads) {
    T.Root += T.Root == None ? 0 : FirstNode;
    To.Threads.push_back(std::move(T));
  }
}
} // namespace

Profile loopscope::mergeProfiles(std::vector<Profile> All) {
  Profile Result;
  std::map<SiteKey, uint32_t> SiteOf;
  for (const Profile &P : All)
    if (&P == &All.front() || badness(P) > badness(Result)) {
      Result.Ended = P.Ended;
      Result.EndCode = P.EndCode;
    }
  const Profile &First = All.front();
  Result.Program = First.Program;
  Result.CommandLine = First.CommandLine;
  Result.Host = First.Host;
  Result.WorkingDirectory = First.WorkingDirectory;
  Result.Options = First.Options;
  Result.Pid = First.Pid;
  Result.Mode = First.Mode;
  Result.WorldSize = First.WorldSize;
  Result.StartRealtimeNs = First.StartRealtimeNs;
  Result.WarmupSteps = First.WarmupSteps;
  Result.WarmupPerEpoch = First.WarmupPerEpoch;
  for (Profile &P : All) {
    Result.Path += (Result.Path.empty() ? "" : " + ") + P.Path;
    Result.WallNs = saturatingAdd(Result.WallNs, P.WallNs);
    Result.StartRealtimeNs =
        std::min(Result.StartRealtimeNs, P.StartRealtimeNs);
    Result.HookInsideNs = std::max(Result.HookInsideNs, P.HookInsideNs);
    Result.HookOutsideNs = std::max(Result.HookOutsideNs, P.HookOutsideNs);
    add(Result.Lost, P.Lost);
    append(Result, std::move(P), SiteOf);
  }
  return Result;
}
