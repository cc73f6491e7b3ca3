// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks up every index and bounds every number before it enters the model.

#include "Run/Read/GpuReader.h"

#include "Run/Model/KnownNames.h"
#include "Support/Printable.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>

using namespace loopscope;

namespace {
// More than any machine has. Figures are kept per device, so a hostile file
// must not name any number of them.
constexpr size_t MaxDevices = 256;

// A sum of ticks weighted by blocks or occupancy, in nanoseconds.
double weighted(double Ticks, double NsPerTick) {
  double Ns = Ticks * NsPerTick;
  return std::isfinite(Ns) && Ns > 0 ? Ns : 0;
}

template <size_t N> std::string fieldText(const char (&Field)[N]) {
  return printable(std::string(Field, strnlen(Field, N)));
}

bool isDirection(uint16_t Value) {
  return Value <= LOOPSCOPE_GPU_OTHER_DIRECTION;
}

bool isWork(uint16_t Kind, uint16_t Direction) {
  return Kind >= LOOPSCOPE_GPU_KERNEL && Kind <= LOOPSCOPE_GPU_SET &&
         isDirection(Direction);
}

class GpuReader {
public:
  GpuReader(ProfileBytes &Records, const Clock &Ticks,
            const GpuIndices &Indices, Integrity &Lost)
      : Records(Records), Ticks(Ticks), Indices(Indices), Lost(Lost),
        Start(Records.header().start_ticks) {}

  GpuData read(size_t Events) {
    readHeader();
    readFunctions();
    readDevices();
    readSameWork();
    readWork();
    readNodes();
    readOverlaps();
    readWaits();
    readMemory();
    readUses();
    if (Events != 0)
      readEvents(Events);
    return std::move(G);
  }

private:
  void readHeader();
  void readFunctions();
  void readDevices();
  void readSameWork();
  void readWork();
  void readNodes();
  void readOverlaps();
  void readWaits();
  void readMemory();
  void readUses();
  void readEvents(size_t AtMost);
  uint32_t deviceOf(uint32_t Id);
  uint32_t functionOf(uint32_t Index);
  // The model's node; None, and counted, if there is no such node.
  uint32_t nodeOf(uint32_t Index);
  // The same for 1 + an index; 0 means none.
  uint32_t madeIn(uint32_t IndexPlusOne) {
    return IndexPlusOne == 0 ? None : nodeOf(IndexPlusOne - 1);
  }
  int64_t sinceStart(uint64_t At) const {
    return At > Start ? Ticks.toNs(At - Start) : 0;
  }

  ProfileBytes &Records;
  const Clock &Ticks;
  const GpuIndices &Indices;
  Integrity &Lost;
  uint64_t Start;
  GpuData G;
  std::unordered_map<uint32_t, uint32_t> DeviceOf;   // CUDA's id -> ours
  std::unordered_map<uint32_t, uint32_t> FunctionOf; // file's index -> ours
  std::set<GpuWorkName> HasUnion;
  std::vector<uint64_t> PeakNumbers; // by device
};
} // namespace

void GpuReader::readHeader() {
  const loopscope_profile_header &H = Records.header();
  G.State = static_cast<loopscope_gpu_state>(
      std::min<uint32_t>(H.gpu_state, LOOPSCOPE_GPU_STOPPED));
  G.Note = fieldText(H.gpu_note);
  G.Library = fieldText(H.gpu_library);
  G.CuptiVersion = H.cupti_version;
  G.StartNs = H.gpu_start_ticks == 0 ? 0 : sinceStart(H.gpu_start_ticks);
  G.EndNs = H.gpu_end_ticks == 0 ? -1 : sinceStart(H.gpu_end_ticks);
  G.Launches = H.gpu_launches;
  G.Records = H.gpu_records;
  G.CostNs = Ticks.toNs(H.gpu_cost_ticks);
  for (size_t I = 0; I < G.OverheadNs.size(); ++I)
    G.OverheadNs[I] = Ticks.toNs(H.gpu_overhead_ticks[I]);
}

void GpuReader::readFunctions() {
  for (const auto &Each : Records.gpuFunctions()) {
    if (!FunctionOf.try_emplace(Each.Index, G.Functions.size()).second) {
      ++Lost.BadRecords;
      continue;
    }
    G.Functions.push_back(Records.text(Each.Value.name));
  }
}

void GpuReader::readDevices() {
  auto Known = [](auto Value) {
    return Value < 0 ? decltype(Value)(-1) : Value;
  };
  for (const auto &Each : Records.gpuDevices()) {
    const loopscope_gpu_device &D = Each.Value;
    Lost.TornGpu += Each.Torn;
    if (G.Devices.size() == MaxDevices ||
        !DeviceOf.try_emplace(D.id, G.Devices.size()).second) {
      ++Lost.BadRecords;
      continue;
    }
    GpuDevice Next;
    Next.Id = D.id;
    Next.Name = Records.text(D.name);
    Next.ComputeMajor = Known(D.compute_major);
    Next.ComputeMinor = Known(D.compute_minor);
    Next.Multiprocessors = Known(D.multiprocessors);
    Next.MaxWarps = Known(D.max_warps_per_multiprocessor);
    Next.TotalMemory = Known(D.total_memory);
    Next.MemoryBytesPerSecond = D.memory_bytes_per_s;
    if (D.first_start_ticks != UINT64_MAX) {
      Next.StartNs = sinceStart(D.first_start_ticks);
      Next.EndNs = std::max(Next.StartNs, sinceStart(D.last_end_ticks));
    }
    Next.BusyNs = Ticks.toNs(D.busy_ticks);
    Next.KernelNs = Ticks.toNs(D.kernel_ticks);
    Next.CopyNs = Ticks.toNs(D.copy_ticks);
    Next.MemoryPeak = D.memory_peak;
    PeakNumbers.push_back(D.memory_peak_number);
    Next.MemoryNow = std::min(D.memory_now, D.memory_peak);
    if (D.memory_peak != 0)
      Next.MemoryPeakNode = nodeOf(D.memory_peak_node);
    Next.MultiprocessorNs = weighted(D.multiprocessor_ticks, Ticks.nsPerTick());
    G.Devices.push_back(std::move(Next));
  }
}

// A device with work but no record of its own is of an unknown make. None if
// there are too many.
uint32_t GpuReader::deviceOf(uint32_t Id) {
  if (auto Known = DeviceOf.find(Id); Known != DeviceOf.end())
    return Known->second;
  ++Lost.BadRecords;
  if (G.Devices.size() == MaxDevices)
    return None;
  auto Index = static_cast<uint32_t>(G.Devices.size());
  DeviceOf.emplace(Id, Index);
  G.Devices.emplace_back();
  G.Devices.back().Id = Id;
  PeakNumbers.push_back(0);
  return Index;
}

uint32_t GpuReader::functionOf(uint32_t Index) {
  if (Index == None)
    return None;
  auto Found = FunctionOf.find(Index);
  if (Found != FunctionOf.end())
    return Found->second;
  ++Lost.BadRecords;
  return None;
}

uint32_t GpuReader::nodeOf(uint32_t Index) {
  if (Index == None)
    return None;
  auto Found = Indices.NodeOf.find(Index);
  if (Found != Indices.NodeOf.end())
    return Found->second;
  ++Lost.BadRecords;
  return None;
}

void GpuReader::readSameWork() {
  for (const auto &Each : Records.gpuSameWork()) {
    const loopscope_gpu_same_work &W = Each.Value;
    Lost.TornGpu += Each.Torn;
    if (!isWork(W.kind, W.direction)) {
      ++Lost.BadRecords;
      continue;
    }
    GpuSameWork Next;
    Next.Name = {deviceOf(W.device), functionOf(W.function),
                 static_cast<loopscope_gpu_kind>(W.kind),
                 static_cast<loopscope_gpu_direction>(W.direction)};
    if (Next.Name.Device == None)
      continue;
    Next.BusyNs = Ticks.toNs(W.busy_ticks);
    if (HasUnion.insert(Next.Name).second)
      G.SameWork.push_back(Next);
    else
      ++Lost.BadRecords;
  }
}

void GpuReader::readWork() {
  for (const auto &Each : Records.gpuWork()) {
    const loopscope_gpu_work &W = Each.Value;
    Lost.TornGpu += Each.Torn;
    if (!isWork(W.kind, W.direction) || W.no_time > W.count) {
      ++Lost.BadRecords;
      continue;
    }
    GpuWork Next;
    Next.Node = nodeOf(W.node);
    Next.Function = functionOf(W.function);
    Next.Communicates = Next.Function != None &&
                        isCommunicationKernel(G.Functions[Next.Function]);
    Next.Device = deviceOf(W.device);
    if (Next.Device == None)
      continue;
    Next.MadeIn = madeIn(W.made_in);
    Next.Kind = static_cast<loopscope_gpu_kind>(W.kind);
    Next.Direction = static_cast<loopscope_gpu_direction>(W.direction);
    Next.Count = W.count;
    Next.NoTime = W.no_time;
    Next.SumNs = Ticks.toNs(W.sum_ticks);
    if (W.no_time < W.count) {
      Next.MaxNs = Ticks.toNs(W.max_ticks);
      Next.MinNs = std::min(Ticks.toNs(W.min_ticks), Next.MaxNs);
    }
    Next.Bytes = W.bytes;
    Next.GraphCount = std::min(W.graph_count, W.count);
    Next.Shorter = std::min(W.shorter, W.count);
    Next.QueueNs = Ticks.toNs(W.queue_ticks);
    double Rate = Ticks.nsPerTick();
    Next.BlocksPerSmNs = weighted(W.blocks_per_sm_ticks, Rate);
    Next.OccupancyKnownNs = weighted(W.occupancy_known_ticks, Rate);
    Next.OccupancyNs =
        std::min(weighted(W.occupancy_ticks, Rate), Next.OccupancyKnownNs);
    if (HasUnion.count(Next.name()) != 0)
      Next.BusyNs = std::min(Ticks.toNs(W.busy_ticks), Next.SumNs);
    G.Work.push_back(Next);
  }
}

void GpuReader::readNodes() {
  for (const auto &Each : Records.gpuNodes()) {
    const loopscope_gpu_node &N = Each.Value;
    Lost.TornGpu += Each.Torn;
    GpuNode Next;
    Next.Node = nodeOf(N.node);
    Next.Device = deviceOf(N.device);
    if (Next.Device == None)
      continue;
    Next.BusyNs = Ticks.toNs(N.busy_ticks);
    Next.KernelNs = std::min(Ticks.toNs(N.kernel_ticks), Next.BusyNs);
    Next.IdleNs = Ticks.toNs(N.idle_ticks);
    G.Nodes.push_back(Next);
  }
}

// Ticks are converted as sums are, so that a device's overlaps add up to its
// busy time.
void GpuReader::readOverlaps() {
  std::unordered_map<uint32_t, uint64_t> SumOf; // by device, in ticks
  for (const auto &Each : Records.gpuOverlaps()) {
    const loopscope_gpu_overlap &O = Each.Value;
    Lost.TornGpu += Each.Torn;
    bool IsSet =
        O.count != 0 && O.count <= LOOPSCOPE_GPU_OVERLAP_NODES && O.more <= 1 &&
        std::adjacent_find(O.nodes, O.nodes + O.count,
                           std::greater_equal<>()) == O.nodes + O.count;
    if (!IsSet) {
      ++Lost.BadRecords;
      continue;
    }
    GpuOverlap Next;
    Next.Device = deviceOf(O.device);
    if (Next.Device == None)
      continue;
    uint64_t &Sum = SumOf[Next.Device];
    uint64_t Before = Sum;
    if (__builtin_add_overflow(Before, O.ticks, &Sum))
      Sum = UINT64_MAX;
    Next.Ns = Ticks.toNs(Sum) - Ticks.toNs(Before);
    Next.HasMore = O.more != 0;
    for (uint32_t I = 0; I < O.count; ++I)
      Next.Members.push_back({nodeOf(O.nodes[I]), (O.kernels >> I & 1) != 0});
    G.Overlaps.push_back(std::move(Next));
  }
}

void GpuReader::readWaits() {
  for (const auto &Each : Records.gpuWaits()) {
    Lost.TornGpu += Each.Torn;
    auto Waiter = Indices.NodeOf.find(Each.Value.waiter);
    if (Waiter == Indices.NodeOf.end()) {
      ++Lost.BadRecords;
      continue;
    }
    G.Waits.push_back({Waiter->second, nodeOf(Each.Value.worker),
                       Ticks.toNs(Each.Value.ticks)});
  }
}

void GpuReader::readMemory() {
  for (const auto &Each : Records.gpuMemory()) {
    const loopscope_gpu_memory &M = Each.Value;
    Lost.TornGpu += Each.Torn;
    if (M.kind < LOOPSCOPE_GPU_DEVICE_MEMORY ||
        M.kind > LOOPSCOPE_GPU_OTHER_MEMORY) {
      ++Lost.BadRecords;
      continue;
    }
    GpuMemory Next;
    Next.Node = nodeOf(M.node);
    Next.Kind = static_cast<loopscope_gpu_memory_kind>(M.kind);
    bool IsHost = Next.Kind == LOOPSCOPE_GPU_PINNED_MEMORY;
    Next.Device = IsHost ? None : deviceOf(M.device);
    if (!IsHost && Next.Device == None)
      continue;
    Next.Allocations = M.allocations;
    Next.AllocatedBytes = M.allocated_bytes;
    Next.Frees = M.frees;
    Next.FreedBytes = M.freed_bytes;
    Next.PeakBytes = M.peak_bytes;
    if (Next.Kind == LOOPSCOPE_GPU_DEVICE_MEMORY)
      Next.HeldAtPeak = M.peak_number == PeakNumbers[Next.Device]
                            ? M.held_at_peak
                            : M.held_bytes;
    G.Memory.push_back(Next);
  }
}

// Reads the last AT_MOST of them, in the order of writing.
void GpuReader::readUses() {
  for (const auto &Each : Records.gpuUses()) {
    const loopscope_gpu_use &U = Each.Value;
    Lost.TornGpu += Each.Torn;
    auto Kind = std::ranges::find(
        hardwareKinds(), static_cast<HardwareId>(U.use), &HardwareKind::Id);
    if (Kind == hardwareKinds().end())
      continue; // of a newer version
    HardwareUse Next;
    Next.Node = nodeOf(U.node);
    Next.Device = deviceOf(U.device);
    bool HasNode = Next.Node != None;
    if (U.owner > LOOPSCOPE_USE_OF_MANY ||
        (U.owner == LOOPSCOPE_USE_OF_NODE && !HasNode) ||
        (U.owner == LOOPSCOPE_USE_OF_MANY && HasNode) || U.windows == 0 ||
        !std::isfinite(U.integral) || U.integral < 0 || !std::isfinite(U.max) ||
        !(U.min >= 0 && U.min <= U.max)) {
      Lost.BadRecords += U.windows != 0 ? 1 : 0;
      continue;
    }
    if (Next.Device == None)
      continue;
    Next.Id = Kind->Id;
    Next.Owner = static_cast<loopscope_gpu_use_owner>(U.owner);
    Next.Windows = U.windows;
    Next.Ns = Ticks.toNs(U.ticks);
    Next.Integral = weighted(U.integral, Ticks.nsPerTick());
    Next.Min = U.min;
    Next.Max = U.max;
    G.Uses.push_back(Next);
  }
}

void GpuReader::readEvents(size_t AtMost) {
  std::vector<loopscope_gpu_event> Slots = Records.gpuEvents(Lost.TornGpu);
  if (Slots.size() > AtMost) {
    Slots.erase(Slots.begin(), Slots.end() - static_cast<ptrdiff_t>(AtMost));
    G.EventsAreCut = true;
  }
  G.Events.reserve(Slots.size());
  for (const loopscope_gpu_event &E : Slots) {
    bool IsKnown = E.kind >= LOOPSCOPE_GPU_KERNEL &&
                   E.kind <= LOOPSCOPE_GPU_OVERHEAD &&
                   isDirection(E.direction) && E.end_ticks >= E.start_ticks;
    if (!IsKnown) {
      ++Lost.BadRecords;
      continue;
    }
    GpuEvent Next;
    Next.StartNs = sinceStart(E.start_ticks);
    Next.EndNs = sinceStart(E.end_ticks);
    Next.Kind = static_cast<loopscope_gpu_kind>(E.kind);
    Next.Direction = static_cast<loopscope_gpu_direction>(E.direction);
    Next.Node = nodeOf(E.node);
    Next.Function = functionOf(E.function);
    Next.WaitsForDevice = Next.Function != None &&
                          Next.Kind == LOOPSCOPE_GPU_WAIT_CALL &&
                          waitsForDevice(G.Functions[Next.Function]);
    if (Next.isDeviceWork() || E.device != None) {
      Next.Device = deviceOf(E.device);
      if (Next.Device == None)
        continue;
    }
    Next.Context = E.context;
    Next.Stream = E.stream;
    Next.Correlation = E.correlation;
    if (auto Found = Indices.ThreadOf.find(E.thread);
        Found != Indices.ThreadOf.end())
      Next.Thread = Found->second;
    Next.Tid = E.tid;
    std::copy_n(E.grid, 3, Next.Grid.begin());
    std::copy_n(E.block, 3, Next.Block.begin());
    Next.Registers = E.registers;
    Next.StaticShared = E.static_shared;
    Next.DynamicShared = E.dynamic_shared;
    Next.Graph = E.graph;
    Next.GraphNode = E.graph_node;
    Next.MadeIn = madeIn(E.made_in);
    Next.Callback = E.callback & 0xffffff;
    Next.Bytes = E.bytes;
    bool IsShare = E.occupancy >= 0 && E.occupancy <= 1;
    Next.Occupancy = IsShare ? static_cast<double>(E.occupancy) : -1;
    G.Events.push_back(Next);
  }
  std::stable_sort(G.Events.begin(), G.Events.end(),
                   [](const GpuEvent &A, const GpuEvent &B) {
                     return A.StartNs < B.StartNs;
                   });
}

GpuData loopscope::readGpu(ProfileBytes &Records, const Clock &Ticks,
                           const GpuIndices &Indices, size_t Events,
                           Integrity &Lost) {
  return GpuReader(Records, Ticks, Indices, Lost).read(Events);
}
