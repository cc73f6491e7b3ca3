// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What holds for events, however they were read.

#include "Run/Model/Events.h"

#include "Run/Model/KnownNames.h"

#include <algorithm>
#include <unordered_set>

namespace loopscope {

std::string_view stepNumber(std::string_view Name) {
  std::string_view Number =
      Name.substr(Name.find_last_not_of("0123456789") + 1);
  return Number.empty() ? Name : Number;
}

int64_t EventStream::start() const {
  int64_t First = INT64_MAX;
  for (const TraceEvent &Event : Events)
    First = std::min(First, Event.Start);
  return First;
}

void markExchanges(EventStream &Of) {
  std::vector<std::optional<bool>> IsNamed(Of.Strings.size());
  std::unordered_set<uint64_t> Ids;
  for (const TraceEvent &Event : Of.Events)
    if (isMarkedCall(Event.Kind) && Event.Use == EventUse::Exchange &&
        Event.ExternalId != 0)
      Ids.insert(Event.ExternalId);
  for (TraceEvent &Event : Of.Events) {
    if (Event.Kind != TraceKind::Kernel)
      continue;
    std::optional<bool> &Named = IsNamed[Event.Name];
    if (!Named)
      Named = isCommunicationKernel(Of.name(Event));
    uint32_t Facts = Of.Devices[Event.Device].Exchange;
    if (*Named || (!Ids.empty() && Ids.contains(Event.ExternalId)) ||
        (Facts != 0 && Of.Exchanges[Facts].Operation != 0))
      Event.Use = EventUse::Exchange;
  }
}

bool looksLikeTrace(std::string_view Start) {
  if (Start.size() >= 2 && Start[0] == '\x1F' && Start[1] == '\x8B')
    return true;
  size_t First = Start.find_first_not_of(" \t\r\n");
  return First != std::string_view::npos &&
         (Start[First] == '{' || Start[First] == '[');
}

} // namespace loopscope
