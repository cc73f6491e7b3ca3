// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adding up operators.

#include "Analysis/OperatorRows.h"

#include "Analysis/GpuRows.h"

#include <map>
#include <utility>

namespace loopscope {
namespace {

bool isOperatorRow(const EventStream &Trace, const TraceEvent &Event) {
  std::string_view Name = Trace.name(Event);
  return Event.Kind == TraceKind::Operator && !isDataLoader(Name) &&
         !Name.starts_with("Optimizer.");
}

} // namespace

std::vector<OperatorRow> addUpOperators(const EventStream &Trace,
                                        const HostCalls &Calls,
                                        const Run *ByPhaseOf) {
  std::vector<OperatorRow> Rows;
  bool HasNodes = Trace.NodeOf.size() == Trace.Events.size();
  std::vector<uint32_t> RowOfName(Trace.Strings.size(), 0); // plus one
  std::map<std::pair<uint32_t, std::string>, uint32_t> RowOfPhase;
  auto Add = [&](const HostCall &Call) {
    const TraceEvent &Event = Trace.Events[Call.Event];
    if (!isOperatorRow(Trace, Event))
      return;
    std::string Phase = ByPhaseOf
                            ? phaseOf(*ByPhaseOf, Trace.NodeOf[Call.Event])
                            : std::string();
    uint32_t &Number =
        ByPhaseOf ? RowOfPhase[{Event.Name, Phase}] : RowOfName[Event.Name];
    if (Number == 0) {
      Rows.emplace_back();
      Rows.back().Name = Trace.name(Event);
      Rows.back().Phase = std::move(Phase);
      Number = static_cast<uint32_t>(Rows.size());
    }
    OperatorRow &Row = Rows[Number - 1];
    ++Row.Calls;
    // Consecutive calls of one operator are usually in the same phase.
    if (HasNodes &&
        (Row.Nodes.empty() || Row.Nodes.back() != Trace.NodeOf[Call.Event]))
      Row.Nodes.push_back(Trace.NodeOf[Call.Event]);
    Row.HostSelf += Call.HostSelf;
    Row.HostTotal += Call.HostTotal;
    Row.DeviceSelf += Call.DeviceSelf;
    Row.DeviceTotal += Call.DeviceTotal;
    Row.HasStack |= Event.HasStack;
  };
  // Calls are sorted by start; a call is added once the next one isn't inside
  // it.
  std::vector<uint32_t> Open;
  for (uint32_t C = 0; C < Calls.Calls.size(); ++C) {
    const HostCall &Call = Calls.Calls[C];
    if (Call.Merged)
      continue;
    while (!Open.empty() && Open.back() != Call.Parent) {
      Add(Calls.Calls[Open.back()]);
      Open.pop_back();
    }
    Open.push_back(C);
  }
  for (; !Open.empty(); Open.pop_back())
    Add(Calls.Calls[Open.back()]);
  return Rows;
}

} // namespace loopscope
