// Kernels, copies and sets of a profile.
#include "Report/Cells.h"
#include "Report/GpuViews.h"
#include "Report/PathTree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

using namespace loopscope;

namespace {
constexpr double NsPerSecond = 1e9;

// Sums of one row; means by duration come at the end.
struct KernelSums {
  KernelRow Row;
  uint64_t Timed = 0; // with time stamps
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

struct CopySums {
  uint64_t Count = 0;
  int64_t Ns = 0;
  uint64_t Bytes = 0;
};

Row rowOf(const std::string &What, const std::string *Phase,
          const CopySums &Of) {
  Row Result;
  Result.Cells.push_back(text(What));
  if (Phase)
    Result.Cells.push_back(text(*Phase));
  auto Ns = static_cast<double>(Of.Ns);
  auto Bytes = static_cast<double>(Of.Bytes);
  Result.Cells.push_back(count(Of.Count));
  Result.Cells.push_back(duration(Of.Ns));
  Result.Cells.push_back(seconds(
      Of.Count == 0 ? 0 : Ns / static_cast<double>(Of.Count) / NsPerSecond));
  Result.Cells.push_back(count(Of.Bytes));
  // Bytes per nanosecond are GB per second.
  Result.Cells.push_back(
      Of.Ns > 0 ? real(Bytes / Ns, fmt::format("{:.4g}", Bytes / Ns))
                : absent());
  return Result;
}

Table copyTable(const Profile &P, bool ByPhase) {
  std::map<std::pair<std::string, std::string>, CopySums> Rows;
  for (const GpuWork &W : P.Gpu.Work) {
    if (W.Kind == LOOPSCOPE_GPU_KERNEL)
      continue;
    CopySums &To =
        Rows[{W.Kind == LOOPSCOPE_GPU_SET ? "set" : directionName(W.Direction),
              ByPhase ? phaseOf(P, W.Node) : ""}];
    To.Count += W.Count;
    To.Ns = saturatingAdd(To.Ns, W.SumNs);
    To.Bytes += W.Bytes;
  }
  Table Result;
  Result.Id = "copies";
  Result.Title = "Copies and sets";
  Result.Columns = {{"name", "Direction", Style::Text}};
  if (ByPhase)
    Result.Columns.push_back({"phase", "Phase", Style::Text});
  for (Column Each : std::vector<Column>{
           {"calls", "Calls", Style::Integer},
           {"total_s", "Total Duration", Style::Duration},
           {"mean_s", "Mean Duration", Style::Duration},
           {"bytes", "Bytes", Style::Integer},
           {"bandwidth_gb_per_s", "Bandwidth (GB/s)", Style::Number}})
    Result.Columns.push_back(std::move(Each));
  std::vector<std::pair<std::pair<std::string, std::string>, CopySums>> Sorted(
      Rows.begin(), Rows.end());
  std::stable_sort(
      Sorted.begin(), Sorted.end(),
      [](const auto &A, const auto &B) { return A.second.Ns > B.second.Ns; });
  for (const auto &[Key, Sums] : Sorted)
    Result.Rows.push_back(
        rowOf(Key.first, ByPhase ? &Key.second : nullptr, Sums));
  return Result;
}
} // namespace

std::string loopscope::phaseOf(const Profile &P, uint32_t Node) {
  if (Node == None)
    return "(launch unknown)";
  while (P.Nodes[Node].Kind == LOOPSCOPE_KIND_FUNCTION)
    Node = P.Nodes[Node].Parent;
  return P.Nodes[Node].Parent == None ? "(no phase)"
                                      : treeName(P, P.Nodes[Node]);
}

std::vector<KernelRow> loopscope::addUpKernels(const Profile &P, bool ByPhase) {
  std::map<std::pair<uint32_t, std::string>, KernelSums> Rows;
  for (const GpuWork &W : P.Gpu.Work)
    if (W.Kind == LOOPSCOPE_GPU_KERNEL)
      Rows[{W.Function, ByPhase ? phaseOf(P, W.Node) : ""}].add(W);
  std::vector<KernelRow> Result;
  for (auto &[Key, Sums] : Rows) {
    Result.push_back(Sums.finished());
    Result.back().Name =
        Key.first == None ? "(name unknown)" : P.Gpu.Functions[Key.first];
    Result.back().Phase = Key.second;
  }
  std::stable_sort(Result.begin(), Result.end(),
                   [](const KernelRow &A, const KernelRow &B) {
                     return std::tie(B.Total, A.Name, A.Phase) <
                            std::tie(A.Total, B.Name, B.Phase);
                   });
  return Result;
}

Result<std::vector<Table>>
loopscope::buildGpuKernels(const Profile &P, const ViewOptions &Options) {
  if (P.Gpu.Work.empty())
    return Error{fmt::format(
        "{}: the run recorded no GPU work{}", P.Path,
        P.Gpu.Note.empty() ? std::string(" (gpu=on in LOOPSCOPE says why)")
                           : ": " + P.Gpu.Note)};
  std::vector<Table> Result = {
      buildKernels(addUpKernels(P, Options.ByPhase), Options.ByPhase)};
  Table Copies = copyTable(P, Options.ByPhase);
  if (!Copies.Rows.empty())
    Result.push_back(std::move(Copies));
  return Result;
}
