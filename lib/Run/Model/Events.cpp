// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the names in a trace mean.

#include "Run/Model/Events.h"

namespace loopscope {

bool isDataLoader(std::string_view Name) {
  return (Name.starts_with("enumerate(DataLoader)#") &&
          Name.ends_with(".__next__")) ||
         Name.starts_with("enumerate(DataPipe)#");
}

static constexpr std::string_view WaitPrefix = "loopscope.wait: ";

static constexpr std::string_view CollectivePrefix = "loopscope.collective: ";

bool isCollective(std::string_view Name) {
  return Name.starts_with(CollectivePrefix);
}

std::string collectiveEventName(std::string_view Name) {
  return std::string(CollectivePrefix).append(Name);
}

std::string_view collectiveName(std::string_view EventName) {
  return EventName.substr(CollectivePrefix.size());
}

bool isWait(std::string_view Name) { return Name.starts_with(WaitPrefix); }

std::string waitEventName(std::string_view Name) {
  return std::string(WaitPrefix).append(Name);
}

std::string_view waitName(std::string_view EventName) {
  return EventName.substr(WaitPrefix.size());
}

static constexpr std::string_view CutPrefix = "loopscope.cut: ";

bool isCut(std::string_view Name) { return Name.starts_with(CutPrefix); }

std::string cutEventName(std::string_view Name) {
  return std::string(CutPrefix).append(Name);
}

bool isPhaseOperator(std::string_view Name) {
  return Name.starts_with("Optimizer.") || isDataLoader(Name);
}

bool isCommunicationOperator(std::string_view Name) {
  return Name.starts_with("nccl:") || Name.starts_with("gloo:") ||
         isCollective(Name);
}

bool isCommunicationKernel(std::string_view Name) {
  return Name.starts_with("nccl") &&
         Name.find("Kernel") != std::string_view::npos;
}

CallUse callUse(std::string_view Name) {
  auto Has = [&](std::string_view Part) {
    return Name.find(Part) != std::string_view::npos;
  };
  if (Has("GraphLaunch"))
    return CallUse::Launch;
  // Nodes of graphs are created now and run later.
  if (Has("Graph") || Has("HostFunc"))
    return CallUse::Other;
  if (Has("Synchronize") || (Has("Memcpy") && !Has("Async")))
    return CallUse::Wait;
  return Has("Memcpy") || Has("cudaMemset") || Has("MemsetD") ||
                 Has("MemPrefetch") || Has("Launch")
             ? CallUse::Launch
             : CallUse::Other;
}

CallUse CallUses::of(const TraceEvent &Call) {
  std::optional<CallUse> &Known = Uses[Call.Name];
  if (!Known)
    Known = callUse(Stream.name(Call));
  return *Known;
}

bool looksLikeTrace(std::string_view Start) {
  if (Start.size() >= 2 && Start[0] == '\x1F' && Start[1] == '\x8B')
    return true;
  size_t First = Start.find_first_not_of(" \t\r\n");
  return First != std::string_view::npos &&
         (Start[First] == '{' || Start[First] == '[');
}

} // namespace loopscope
