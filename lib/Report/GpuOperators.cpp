// Phases and functions as the operators view shows operators.
#include "Report/GpuSums.h"
#include "Report/GpuViews.h"
#include "Report/PathTree.h"

#include <algorithm>
#include <map>

using namespace loopscope;

namespace {
bool isOperator(const Node &N) {
  return N.Kind == LOOPSCOPE_KIND_PHASE || N.Kind == LOOPSCOPE_KIND_FUNCTION;
}

int64_t callsNs(const GpuCalls &C) {
  return saturatingAdd(C.LaunchNs, saturatingAdd(C.WaitNs, C.OtherNs));
}
} // namespace

std::vector<OperatorRow> loopscope::addUpOperators(const Profile &P) {
  std::vector<OperatorRow> Rows;
  std::map<std::string, size_t> RowOf;
  GpuByNode Gpu(P);
  for (uint32_t I = 0; I < P.Nodes.size(); ++I) {
    const Node &N = P.Nodes[I];
    if (!isOperator(N))
      continue;
    auto [Found, IsNew] = RowOf.try_emplace(treeName(P, N), Rows.size());
    if (IsNew) {
      Rows.emplace_back();
      Rows.back().Name = Found->first;
    }
    OperatorRow &Row = Rows[Found->second];
    Row.Calls += N.Spans.count();
    auto Add = [](int64_t &To, int64_t Ns) { To = saturatingAdd(To, Ns); };
    // A call may still run when the span's time is read.
    Add(Row.HostSelf, std::max<int64_t>(0, N.SelfNs - callsNs(N.Calls)));
    Add(Row.HostTotal, N.InclusiveNs);
    Add(Row.DeviceSelf, Gpu.own(I).WorkNs);
    Add(Row.DeviceTotal, Gpu.inclusive(I).WorkNs);
  }
  return Rows;
}

Table loopscope::buildPhaseOperators(const Profile &P) {
  GpuByNode Gpu(P);
  int64_t Unowned = Gpu.unlaunched().WorkNs;
  for (uint32_t I = 0; I < P.Nodes.size(); ++I)
    if (!isOperator(P.Nodes[I]))
      Unowned = saturatingAdd(Unowned, Gpu.own(I).WorkNs);
  Table Result = buildOperators(addUpOperators(P), Unowned);
  Result.Title = "Phases and functions";
  return Result;
}
