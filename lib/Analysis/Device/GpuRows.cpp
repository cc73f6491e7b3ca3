// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adding up the device work of a profile.

#include "Analysis/Device/GpuRows.h"

#include "Analysis/Tree/DeviceNames.h"
#include "Analysis/Tree/GpuSums.h"
#include "Analysis/Tree/PathTree.h"
#include "Analysis/Tree/WorkUnions.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"
#include "Support/Order.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

using namespace loopscope;

namespace {
// Sums of one row; means weighted by duration are computed at the end.
struct KernelSums {
  KernelRow Row;
  std::vector<uint32_t> Works; // in GpuData::Work
  uint64_t Timed = 0;          // with time stamps
  double BlocksNs = 0;
  double OccupancyNs = 0;
  double OccupancyKnownNs = 0;

  void add(const GpuWork &W) {
    uint64_t WithTime = W.Count - W.NoTime;
    if (WithTime != 0) {
      Row.Shortest = Timed == 0 ? W.MinNs : std::min(Row.Shortest, W.MinNs);
      Row.Longest = std::max(Row.Longest, W.MaxNs);
    }
    Timed += WithTime;
    Row.Untimed += W.NoTime;
    Row.Calls += W.Count;
    Row.Total = saturatingAdd(Row.Total, W.SumNs);
    BlocksNs += W.BlocksPerSmNs;
    OccupancyNs += W.OccupancyNs;
    OccupancyKnownNs += W.OccupancyKnownNs;
  }

  KernelRow finished() {
    if (BlocksNs > 0 && Row.Total > 0)
      Row.BlocksPerSm = BlocksNs / static_cast<double>(Row.Total);
    if (OccupancyKnownNs > 0)
      Row.Occupancy = OccupancyNs / OccupancyKnownNs * 100;
    return std::move(Row);
  }
};

const char *directionName(loopscope_gpu_direction Direction) {
  switch (Direction) {
  case LOOPSCOPE_GPU_HOST_TO_DEVICE:
    return "host to device";
  case LOOPSCOPE_GPU_DEVICE_TO_HOST:
    return "device to host";
  case LOOPSCOPE_GPU_DEVICE_TO_DEVICE:
    return "device to device";
  case LOOPSCOPE_GPU_HOST_TO_HOST:
    return "host to host";
  case LOOPSCOPE_GPU_PEER_TO_PEER:
    return "peer to peer";
  default:
    return "other copies";
  }
}

// Which nodes have rows: LibTorch's operators or, in a profile without any,
// phases and functions.
class RowKinds {
public:
  explicit RowKinds(const Run &R) : AreOperators(hasOperators(R)) {}
  bool has(const Node &N) const {
    return AreOperators ? N.Kind == LOOPSCOPE_KIND_OPERATOR
                        : N.Kind == LOOPSCOPE_KIND_PHASE || isFunction(N.Kind);
  }

private:
  bool AreOperators;
};

int64_t callsNs(const GpuCalls &C) {
  return saturatingAdd(C.LaunchNs, saturatingAdd(C.WaitNs, C.OtherNs));
}
const char *memoryName(loopscope_gpu_memory_kind Kind) {
  switch (Kind) {
  case LOOPSCOPE_GPU_DEVICE_MEMORY:
    return "device";
  case LOOPSCOPE_GPU_MANAGED_MEMORY:
    return "managed";
  case LOOPSCOPE_GPU_PINNED_MEMORY:
    return "pinned host";
  default:
    return "other";
  }
}

// A row's union. Parts are rounded down, so without overlaps it may be some
// nanoseconds below TOTAL.
int64_t busyOf(const WorkUnions &Unions, const std::vector<uint32_t> &Works,
               int64_t Total) {
  return std::min(Unions.of(Works), Total);
}

// Names the forward operators of the rows of backward ones: ROW_OF has each
// node's row.
void nameForwardOperators(const Run &R, const std::map<uint32_t, size_t> &RowOf,
                          std::vector<OperatorRow> &Rows) {
  constexpr size_t Most = 3;
  std::map<size_t, std::map<std::string, uint64_t>> CallsOf;
  for (const OperatorLink &Each : R.OperatorLinks)
    if (auto Row = RowOf.find(Each.Backward); Row != RowOf.end()) {
      const Node &Forward = R.Nodes[Each.Forward];
      CallsOf[Row->second][fmt::format("{} in {}", treeName(R, Forward),
                                       phaseOf(R, Forward.Parent))] +=
          Each.Count;
    }
  for (const auto &[Row, Calls] : CallsOf) {
    std::vector<std::pair<std::string, uint64_t>> Sorted(Calls.begin(),
                                                         Calls.end());
    sortLargestFirst(Sorted, [](const auto &A) { return A.second; });
    std::string &Text = Rows[Row].Forward;
    for (size_t I = 0; I < std::min(Most, Sorted.size()); ++I)
      Text += (I == 0 ? "" : ", ") + Sorted[I].first;
    if (Sorted.size() > Most)
      Text += fmt::format(" and {} more", Sorted.size() - Most);
  }
}

// The device that memory is on, "GPU 0"; empty for the host's.
std::string placeOf(const Run &R, uint32_t Device) {
  return Device == None ? "host"
                        : fmt::format("GPU {}", deviceNumber(R, Device));
}

} // namespace

std::string loopscope::phaseOf(const Run &R, uint32_t Node) {
  if (Node == None)
    return "(launch unknown)";
  while (isFunction(R.Nodes[Node].Kind))
    Node = R.Nodes[Node].Parent;
  return R.Nodes[Node].Parent == None ? "(no phase)"
                                      : treeName(R, R.Nodes[Node]);
}

std::vector<KernelRow> loopscope::addUpKernels(const Run &R, bool ByPhase) {
  std::map<std::tuple<uint32_t, std::string, std::string>, KernelSums> Rows;
  for (uint32_t I = 0; I < R.Gpu.Work.size(); ++I) {
    const GpuWork &W = R.Gpu.Work[I];
    if (W.Kind != LOOPSCOPE_GPU_KERNEL)
      continue;
    KernelSums &To =
        Rows[{W.Function, ByPhase ? phaseOf(R, W.Node) : "",
              ByPhase && W.MadeIn != None ? phaseOf(R, W.MadeIn) : ""}];
    To.add(W);
    To.Works.push_back(I);
  }
  WorkUnions Unions(R);
  std::vector<KernelRow> Result;
  for (auto &[Key, Sums] : Rows) {
    Sums.Row.Busy = busyOf(Unions, Sums.Works, Sums.Row.Total);
    Result.push_back(Sums.finished());
    auto &[Function, Phase, MadeIn] = Key;
    Result.back().Name =
        Function == None ? "(name unknown)" : R.Gpu.Functions[Function];
    Result.back().Phase = Phase;
    Result.back().MadeIn = MadeIn;
  }
  std::stable_sort(Result.begin(), Result.end(),
                   [](const KernelRow &A, const KernelRow &B) {
                     return std::tie(B.Total, A.Name, A.Phase, A.MadeIn) <
                            std::tie(A.Total, B.Name, B.Phase, B.MadeIn);
                   });
  return Result;
}

std::vector<CopyRow> loopscope::addUpCopies(const Run &R, bool ByPhase) {
  struct Sums {
    CopyRow Row;
    std::vector<uint32_t> Works;
  };
  std::map<std::pair<std::string, std::string>, Sums> Rows;
  for (uint32_t I = 0; I < R.Gpu.Work.size(); ++I) {
    const GpuWork &W = R.Gpu.Work[I];
    if (W.Kind == LOOPSCOPE_GPU_KERNEL)
      continue;
    std::string What =
        W.Kind == LOOPSCOPE_GPU_SET ? "set" : directionName(W.Direction);
    std::string Phase = ByPhase ? phaseOf(R, W.Node) : "";
    Sums &Of = Rows[{What, Phase}];
    Of.Works.push_back(I);
    CopyRow &To = Of.Row;
    To.What = std::move(What);
    To.Phase = std::move(Phase);
    To.Count += W.Count;
    To.Ns = saturatingAdd(To.Ns, W.SumNs);
    To.Bytes += W.Bytes;
  }
  WorkUnions Unions(R);
  std::vector<CopyRow> Sorted;
  for (auto &[Key, Of] : Rows) {
    Of.Row.Busy = busyOf(Unions, Of.Works, Of.Row.Ns);
    Sorted.push_back(std::move(Of.Row));
  }
  sortLargestFirst(Sorted, &CopyRow::Ns);
  return Sorted;
}

// "; forward allocated 68.92 GiB of it": the phase with most of the peak of
// device I; empty if it isn't known.
static std::string mostOfPeak(const Run &R, uint32_t I) {
  std::map<std::string, uint64_t> Held;
  for (const GpuMemory &M : R.Gpu.Memory)
    if (M.Device == I && M.HeldAtPeak != 0)
      Held[phaseOf(R, M.Node)] += M.HeldAtPeak;
  auto Most = std::ranges::max_element(
      Held, {}, &std::pair<const std::string, uint64_t>::second);
  return Most == Held.end() ? ""
                            : fmt::format("; {} allocated {} of it",
                                          Most->first, siBytes(Most->second));
}

MemoryRows loopscope::addUpMemory(const Run &R, bool ByPhase) {
  std::map<std::tuple<std::string, std::string, std::string>, MemoryRow> Rows;
  for (const GpuMemory &M : R.Gpu.Memory) {
    MemoryRow Key;
    Key.Place = placeOf(R, M.Device);
    Key.Kind = memoryName(M.Kind);
    Key.Phase = ByPhase ? phaseOf(R, M.Node) : "";
    MemoryRow &To =
        Rows.try_emplace({Key.Place, Key.Kind, Key.Phase}, Key).first->second;
    To.Allocations += M.Allocations;
    To.Bytes += M.AllocatedBytes;
    To.Frees += M.Frees;
    To.FreedBytes += M.FreedBytes;
    To.Peak = std::max(To.Peak, M.PeakBytes);
    To.HeldAtPeak += M.HeldAtPeak;
  }
  MemoryRows Result;
  for (auto &[Key, Row] : Rows)
    Result.Rows.push_back(std::move(Row));
  sortLargestFirst(Result.Rows, &MemoryRow::Peak);
  if (Result.Rows.empty())
    return Result;
  for (uint32_t I = 0; I < R.Gpu.Devices.size(); ++I) {
    const GpuDevice &D = R.Gpu.Devices[I];
    if (D.MemoryPeak != 0)
      Result.Peaks.push_back(fmt::format(
          "{}: peak {}{}, set by {}{}; {} held at the end.", placeOf(R, I),
          siBytes(D.MemoryPeak),
          D.TotalMemory > 0
              ? fmt::format(" of {}",
                            siBytes(static_cast<uint64_t>(D.TotalMemory)))
              : "",
          phaseOf(R, D.MemoryPeakNode), mostOfPeak(R, I),
          siBytes(D.MemoryNow)));
  }
  return Result;
}

std::vector<OperatorRow> loopscope::addUpOperators(const Run &R,
                                                   OperatorsBy By) {
  std::vector<OperatorRow> Rows;
  // By name, phase and inputs.
  std::map<std::tuple<std::string, std::string, uint32_t>, size_t> RowOf;
  std::map<uint32_t, size_t> RowOfNode;
  GpuByNode Gpu(R);
  RowKinds Kinds(R);
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (!Kinds.has(N))
      continue;
    uint32_t Inputs = By == OperatorsBy::Shape ? N.Inputs : None;
    auto [Found, IsNew] = RowOf.try_emplace(
        {treeName(R, N), By == OperatorsBy::Phase ? phaseOf(R, N.Parent) : "",
         Inputs},
        Rows.size());
    if (IsNew) {
      Rows.emplace_back();
      Rows.back().Name = std::get<0>(Found->first);
      Rows.back().Phase = std::get<1>(Found->first);
      if (Inputs != None)
        Rows.back().Inputs = R.Inputs[Inputs];
    }
    OperatorRow &Row = Rows[Found->second];
    Row.Nodes.push_back(I);
    RowOfNode.emplace(I, Found->second);
    Row.Calls += N.Spans.count();
    auto Add = [](int64_t &To, int64_t Ns) { To = saturatingAdd(To, Ns); };
    // A call may still be running when the span's time is read.
    Add(Row.HostSelf, std::max<int64_t>(0, N.SelfNs - callsNs(N.Calls)));
    Add(Row.HostTotal, N.InclusiveNs);
    Add(Row.DeviceSelf, Gpu.own(I).WorkNs);
    Add(Row.DeviceTotal, Gpu.inclusive(I).WorkNs);
  }
  nameForwardOperators(R, RowOfNode, Rows);
  return Rows;
}

int64_t loopscope::unownedDeviceTime(const Run &R) {
  GpuByNode Gpu(R);
  int64_t Unowned = Gpu.unlaunched().WorkNs;
  RowKinds Kinds(R);
  for (uint32_t I = 0; I < R.Nodes.size(); ++I)
    if (!Kinds.has(R.Nodes[I]))
      Unowned = saturatingAdd(Unowned, Gpu.own(I).WorkNs);
  return Unowned;
}
