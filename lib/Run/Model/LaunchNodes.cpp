// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks up launches in the calls around them.

#include "Run/Model/LaunchNodes.h"

#include "Run/Model/LaunchLinks.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace loopscope {
namespace {

// A point on a track, and the runtime call (its number in Links) at that
// point.
struct Place {
  uint32_t Track;
  int64_t Time;
  uint32_t Runtime;
};

class LaunchFinder {
public:
  LaunchFinder(const Run &From, const HostCalls &HostCalls,
               const std::vector<uint32_t> &Nodes)
      : R(From), Trace(From.Stream), Links(*From.Stream.Links),
        Calls(HostCalls.Calls), PathOf(Nodes) {}

  std::vector<uint32_t> find(uint32_t MainTrack) const;

private:
  const TraceEvent &eventOf(uint32_t Call) const {
    return Trace.Events[Calls[Call].Event];
  }
  const TraceEvent &launch(uint32_t Runtime) const {
    return Trace.Events[Links.runtimes()[Runtime]];
  }

  // The node of a call; anything in a step but outside its parts belongs to the
  // batch.
  uint32_t nodeOfCall(uint32_t C) const {
    while (PathOf[C] == None)
      C = Calls[C].Parent; // merged into the one above
    uint32_t Node = PathOf[C];
    return R.Nodes[Node].Kind == LOOPSCOPE_KIND_STEP
               ? R.Nodes[Node].Children.back()
               : Node;
  }

  uint32_t rootOfMain() const {
    for (const Thread &Each : R.Threads)
      if (Each.IsMain)
        return Each.Root;
    return None;
  }

  bool isInPhase(uint32_t Node) const {
    if (Node == None)
      return false;
    while (R.Nodes[Node].Kind == LOOPSCOPE_KIND_FUNCTION)
      Node = R.Nodes[Node].Parent;
    return R.Nodes[Node].Parent != None;
  }

  std::map<uint64_t, uint32_t> callsByExternalId() const;
  std::vector<uint32_t> nodesAt(std::vector<Place> Places) const;

  const Run &R;
  const EventStream &Trace;
  const LaunchLinks &Links;
  const std::vector<HostCall> &Calls;
  const std::vector<uint32_t> &PathOf;
};

// The innermost node at each of PLACES, by runtime call; None where there is no
// call.
std::vector<uint32_t> LaunchFinder::nodesAt(std::vector<Place> Places) const {
  std::vector<uint32_t> Out(Links.runtimes().size(), None);
  std::sort(Places.begin(), Places.end(), [](const Place &A, const Place &B) {
    return std::tie(A.Track, A.Time) < std::tie(B.Track, B.Time);
  });
  std::map<uint32_t, uint32_t> FirstCall; // by track
  for (uint32_t C = static_cast<uint32_t>(Calls.size()); C-- > 0;)
    FirstCall[eventOf(C).Track] = C;
  std::vector<uint32_t> Open;
  uint32_t Next = 0;
  for (size_t I = 0; I < Places.size(); ++I) {
    const Place &At = Places[I];
    if (I == 0 || Places[I - 1].Track != At.Track) {
      Open.clear();
      auto First = FirstCall.find(At.Track);
      Next = First == FirstCall.end() ? static_cast<uint32_t>(Calls.size())
                                      : First->second;
    }
    auto CloseUntil = [&](int64_t Time) {
      while (!Open.empty() && Calls[Open.back()].end() <= Time)
        Open.pop_back();
    };
    for (; Next < Calls.size() && eventOf(Next).Track == At.Track &&
           Calls[Next].Start <= At.Time;
         ++Next) {
      CloseUntil(Calls[Next].Start);
      Open.push_back(Next);
    }
    CloseUntil(At.Time);
    if (!Open.empty())
      Out[At.Runtime] = nodeOfCall(Open.back());
  }
  return Out;
}

std::map<uint64_t, uint32_t> LaunchFinder::callsByExternalId() const {
  std::map<uint64_t, uint32_t> Out;
  for (uint32_t C = 0; C < Calls.size(); ++C)
    if (uint64_t Id = eventOf(C).ExternalId)
      Out.try_emplace(Id, C);
  return Out;
}

std::vector<uint32_t> LaunchFinder::find(uint32_t MainTrack) const {
  std::vector<Place> Places;
  for (uint32_t I = 0; I < Links.runtimes().size(); ++I)
    Places.push_back({launch(I).Track, launch(I).Start, I});
  std::vector<uint32_t> Out = nodesAt(std::move(Places));
  // Some traces have runtime calls on rows of their own: there, the operator
  // with the same External id tells where they were made.
  std::map<uint64_t, uint32_t> CallOf = callsByExternalId();
  Places.clear();
  for (uint32_t I = 0; I < Out.size(); ++I) {
    if (auto Call = CallOf.find(launch(I).ExternalId);
        Out[I] == None && Call != CallOf.end())
      Out[I] = nodeOfCall(Call->second);
    if (!isInPhase(Out[I]))
      Places.push_back({MainTrack, launch(I).Start, I});
  }
  std::vector<uint32_t> OnMain = nodesAt(std::move(Places));
  for (uint32_t I = 0; I < Out.size(); ++I)
    if (isInPhase(OnMain[I]) || Out[I] == None)
      Out[I] = isInPhase(OnMain[I]) ? OnMain[I] : rootOfMain();
  return Out;
}

} // namespace

std::vector<uint32_t> nodesOfLaunches(const Run &R, const HostCalls &Calls,
                                      const std::vector<uint32_t> &PathOf,
                                      uint32_t MainTrack) {
  return LaunchFinder(R, Calls, PathOf).find(MainTrack);
}

} // namespace loopscope
