// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adding up operators.

#include "Analysis/Device/OperatorRows.h"

#include "Analysis/Device/GpuRows.h"

#include <map>
#include <utility>

namespace loopscope {
namespace {

// Of annotations the calls have those that operators contain, as
// CompiledFxGraph.
bool isOperatorRow(const TraceEvent &Event) {
  return (Event.Kind == TraceKind::Operator ||
          Event.Kind == TraceKind::Annotation) &&
         Event.Use != EventUse::Load && Event.Use != EventUse::Optimize;
}

// By event, the number of its inputs in Run::Inputs, or None.
std::vector<uint32_t> inputsByEvent(const EventStream &Trace) {
  std::vector<uint32_t> Result(Trace.Events.size(), None);
  for (const EventInputs &Each : Trace.InputsOf)
    Result[Each.Event] = Each.Inputs;
  return Result;
}

} // namespace

std::vector<OperatorRow> addUpOperators(const Run &Of, const HostCalls &Calls,
                                        OperatorsBy By) {
  const EventStream &Trace = Of.Stream;
  std::vector<OperatorRow> Rows;
  bool HasNodes = Trace.NodeOf.size() == Trace.Events.size();
  std::vector<uint32_t> RowOfName(Trace.Strings.size(), 0); // plus one
  std::map<std::pair<uint32_t, std::string>, uint32_t> RowOfPhase;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> RowOfInputs;
  std::vector<uint32_t> InputsOf;
  if (By == OperatorsBy::Shape)
    InputsOf = inputsByEvent(Trace);
  auto Add = [&](const HostCall &Call) {
    const TraceEvent &Event = Trace.Events[Call.Event];
    if (!isOperatorRow(Event))
      return;
    std::string Phase = By == OperatorsBy::Phase
                            ? phaseOf(Of, Trace.NodeOf[Call.Event])
                            : std::string();
    uint32_t Inputs = By == OperatorsBy::Shape ? InputsOf[Call.Event] : None;
    uint32_t &Number =
        By == OperatorsBy::Phase   ? RowOfPhase[{Event.Name, Phase}]
        : By == OperatorsBy::Shape ? RowOfInputs[{Event.Name, Inputs}]
                                   : RowOfName[Event.Name];
    if (Number == 0) {
      Rows.emplace_back();
      Rows.back().Name = Trace.name(Event);
      Rows.back().Phase = std::move(Phase);
      if (Inputs != None)
        Rows.back().Inputs = Of.Inputs[Inputs];
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
