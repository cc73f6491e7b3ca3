// Kernels, copies and sets of a profile.
#include "Report/Cells.h"
#include "Report/GpuViews.h"
#include "Report/Numbers.h"
#include "Report/PathTree.h"
#include "Report/ProfileTrace.h"

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
           {"calls", "Calls", Style::Integer, 1},
           {"total_s", "Total Duration", Style::Duration},
           {"mean_s", "Mean Duration", Style::Duration, 3},
           {"bytes", "Bytes", Style::Integer, 2},
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

// What memory is on: "GPU 0", or nothing for the host's.
std::string placeOf(const Profile &P, uint32_t Device) {
  return Device == None ? "host"
                        : fmt::format("GPU {}", deviceNumber(P, Device));
}

struct MemorySums {
  uint64_t Allocations = 0, Bytes = 0, Frees = 0, FreedBytes = 0, Peak = 0;
};

Table memoryTable(const Profile &P, bool ByPhase) {
  std::map<std::tuple<std::string, std::string, std::string>, MemorySums> Rows;
  for (const GpuMemory &M : P.Gpu.Memory) {
    MemorySums &To = Rows[{placeOf(P, M.Device), memoryName(M.Kind),
                           ByPhase ? phaseOf(P, M.Node) : ""}];
    To.Allocations += M.Allocations;
    To.Bytes += M.AllocatedBytes;
    To.Frees += M.Frees;
    To.FreedBytes += M.FreedBytes;
    To.Peak = std::max(To.Peak, M.PeakBytes);
  }
  Table Result;
  Result.Id = "memory";
  Result.Title = "Memory";
  Result.Columns = {{"device", "On", Style::Text},
                    {"memory", "Memory", Style::Text}};
  if (ByPhase)
    Result.Columns.push_back({"phase", "Phase", Style::Text});
  for (Column Each :
       std::vector<Column>{{"allocations", "Allocations", Style::Integer},
                           {"allocated_bytes", "Allocated", Style::Integer, 2},
                           {"frees", "Frees", Style::Integer, 3},
                           {"freed_bytes", "Freed", Style::Integer, 4},
                           {"peak_bytes", "Peak", Style::Integer}})
    Result.Columns.push_back(std::move(Each));
  std::vector<
      std::pair<std::tuple<std::string, std::string, std::string>, MemorySums>>
      Sorted(Rows.begin(), Rows.end());
  std::stable_sort(Sorted.begin(), Sorted.end(),
                   [](const auto &A, const auto &B) {
                     return A.second.Peak > B.second.Peak;
                   });
  auto Size = [](uint64_t Bytes) {
    return Cell{static_cast<int64_t>(Bytes), siBytes(Bytes)};
  };
  for (const auto &[Key, Sums] : Sorted) {
    Row Next;
    Next.Cells = {text(std::get<0>(Key)), text(std::get<1>(Key))};
    if (ByPhase)
      Next.Cells.push_back(text(std::get<2>(Key)));
    for (Cell &Each :
         std::vector<Cell>{count(Sums.Allocations), Size(Sums.Bytes),
                           count(Sums.Frees), Size(Sums.FreedBytes),
                           Sums.Allocations == 0 ? absent() : Size(Sums.Peak)})
      Next.Cells.push_back(std::move(Each));
    Result.Rows.push_back(std::move(Next));
  }
  Result.Notes.push_back("Peak: the most that the program held of this memory "
                         "when the row allocated.");
  for (uint32_t I = 0; I < P.Gpu.Devices.size(); ++I) {
    const GpuDevice &D = P.Gpu.Devices[I];
    if (D.MemoryPeak != 0)
      Result.Notes.push_back(fmt::format(
          "{}: peak {}{}, set by {}; {} held at the end.", placeOf(P, I),
          siBytes(D.MemoryPeak),
          D.TotalMemory > 0
              ? fmt::format(" of {}",
                            siBytes(static_cast<uint64_t>(D.TotalMemory)))
              : "",
          phaseOf(P, D.MemoryPeakNode), siBytes(D.MemoryNow)));
  }
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
  std::map<std::tuple<uint32_t, std::string, std::string>, KernelSums> Rows;
  for (const GpuWork &W : P.Gpu.Work)
    if (W.Kind == LOOPSCOPE_GPU_KERNEL)
      Rows[{W.Function, ByPhase ? phaseOf(P, W.Node) : "",
            ByPhase && W.MadeIn != None ? phaseOf(P, W.MadeIn) : ""}]
          .add(W);
  std::vector<KernelRow> Result;
  for (auto &[Key, Sums] : Rows) {
    Result.push_back(Sums.finished());
    auto &[Function, Phase, MadeIn] = Key;
    Result.back().Name =
        Function == None ? "(name unknown)" : P.Gpu.Functions[Function];
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

Result<std::vector<Table>>
loopscope::buildGpuKernels(const Profile &P, const ViewOptions &Options) {
  if (P.Gpu.Work.empty() && P.Gpu.Memory.empty())
    return Error{fmt::format(
        "{}: the run recorded no GPU work{}", P.Path,
        P.Gpu.Note.empty() ? std::string(" (gpu=on in LOOPSCOPE says why)")
                           : ": " + P.Gpu.Note)};
  std::vector<Table> Result = {
      buildKernels(addUpKernels(P, Options.ByPhase), Options.ByPhase)};
  Table Copies = copyTable(P, Options.ByPhase);
  if (!Copies.Rows.empty())
    Result.push_back(std::move(Copies));
  if (!P.Gpu.Memory.empty())
    Result.push_back(memoryTable(P, Options.ByPhase));
  return Result;
}
