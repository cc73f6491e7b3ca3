// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adding up kernels, and what their names say.

#include "Analysis/Device/KernelRows.h"
#include "Symbols/Demangle.h"

#include "Analysis/Device/GpuRows.h"
#include "Run/Model/Intervals.h"
#include "Run/Model/Run.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

namespace loopscope {

namespace {

// A mean weighted by duration, of a figure that not every trace has.
struct Weighted {
  double Sum = 0;
  bool Known = false;

  void add(double Value, int64_t Ns) {
    if (Value < 0)
      return;
    Known = true;
    Sum += Value * static_cast<double>(Ns);
  }
  double mean(int64_t TotalNs) const {
    if (!Known)
      return -1;
    return TotalNs > 0 ? Sum / static_cast<double>(TotalNs) : 0;
  }
};

class KernelSums {
public:
  explicit KernelSums(const EventStream &Trace) : Trace(Trace) {}

  // Adds EVENT, a kernel, to row NUMBER. 0 stands for a row that doesn't exist
  // yet, and becomes its number.
  void add(const TraceEvent &Event, uint32_t &Number) {
    if (Number == 0) {
      KernelRow First;
      First.Name = Trace.name(Event);
      First.Longest = First.Shortest = Event.Duration;
      Rows.push_back(std::move(First));
      Times.emplace_back();
      Blocks.emplace_back();
      Occupancies.emplace_back();
      Number = static_cast<uint32_t>(Rows.size());
    }
    KernelRow &Row = Rows[Number - 1];
    ++Row.Calls;
    Row.Total = saturatingAdd(Row.Total, Event.Duration);
    Row.Longest = std::max(Row.Longest, Event.Duration);
    Row.Shortest = std::min(Row.Shortest, Event.Duration);
    const DeviceFacts &Facts = Trace.Devices[Event.Device];
    Times[Number - 1][Facts.Device].push_back(Event.time());
    Blocks[Number - 1].add(Facts.BlocksPerSm, Event.Duration);
    Occupancies[Number - 1].add(Facts.Occupancy, Event.Duration);
  }

  KernelRow &row(uint32_t Number) { return Rows[Number - 1]; }

  std::vector<KernelRow> finished() {
    for (size_t I = 0; I < Rows.size(); ++I) {
      Rows[I].Busy = 0;
      for (auto &[Device, Ran] : Times[I])
        Rows[I].Busy =
            saturatingAdd(Rows[I].Busy, lengthOf(unite(std::move(Ran))));
      Rows[I].BlocksPerSm = Blocks[I].mean(Rows[I].Total);
      Rows[I].Occupancy = Occupancies[I].mean(Rows[I].Total);
    }
    sortKernels(Rows);
    return std::move(Rows);
  }

private:
  const EventStream &Trace;
  std::vector<KernelRow> Rows;
  std::vector<std::map<int64_t, std::vector<Interval>>> Times; // by device
  std::vector<Weighted> Blocks;
  std::vector<Weighted> Occupancies;
};

} // namespace

std::vector<KernelRow> addUpKernels(const EventStream &Trace) {
  KernelSums Sums(Trace);
  std::vector<uint32_t> RowOfName(Trace.Strings.size(), 0);
  for (const TraceEvent &Event : Trace.Events)
    if (Event.Kind == TraceKind::Kernel)
      Sums.add(Event, RowOfName[Event.Name]);
  return Sums.finished();
}

std::vector<KernelRow> addUpKernelsByPhase(const Run &Trace) {
  const EventStream &Stream = Trace.Stream;
  KernelSums Sums(Stream);
  std::map<std::pair<uint32_t, std::string>, uint32_t> RowOf;
  for (size_t E = 0; E < Stream.Events.size(); ++E) {
    const TraceEvent &Event = Stream.Events[E];
    if (Event.Kind != TraceKind::Kernel)
      continue;
    std::string Phase = phaseOf(Trace, Stream.NodeOf[E]);
    uint32_t &Number = RowOf[{Event.Name, Phase}];
    Sums.add(Event, Number);
    Sums.row(Number).Phase = std::move(Phase);
  }
  return Sums.finished();
}

void sortKernels(std::vector<KernelRow> &Rows) {
  std::sort(Rows.begin(), Rows.end(),
            [](const KernelRow &A, const KernelRow &B) {
              return A.Total != B.Total ? A.Total > B.Total
                     : A.Name != B.Name ? A.Name > B.Name
                                        : A.Phase < B.Phase;
            });
}

// CUTLASS's TensorOp and OpClassTensorOp, but not the end or the middle of
// another word, as SubTensorOpWithCast.
static bool hasTensorOp(std::string_view Name) {
  constexpr std::string_view Mark = "TensorOp", Class = "OpClass";
  for (size_t At = Name.find(Mark); At != std::string_view::npos;
       At = Name.find(Mark, At + 1)) {
    std::string_view Before = Name.substr(0, At);
    if (Before.empty() || Before.ends_with(Class) ||
        !std::isalpha(static_cast<unsigned char>(Before.back())))
      return true;
  }
  return false;
}

bool usesTensorCores(std::string_view KernelName) {
  // Shapes of the matrix instructions (HMMA 8x8x4 of Volta, 16x8x8 of Turing,
  // 16x8x16 of Ampere; integer 8816, 16832 and 16864; double 884), the
  // instructions of Hopper (warp groups) and Blackwell (tcgen05), and what
  // cuBLAS (nvjet is its family for Hopper and Blackwell), cuDNN, CUTLASS and
  // fused attention put in their names.
  constexpr std::array<std::string_view, 28> Marks = {
      "h884",      "s884",      "d884",    "h1688",  "s1688",  "h16816",
      "s16816",    "bf16816",   "i8816",   "i16832", "i16864", "tensorop",
      "hmma",      "imma",      "dmma",    "wgmma",  "gmma_",  "tensor16x8",
      "tensor8x8", "warpgroup", "tcgen05", "nvjet_", "wmma",   "mma_sync",
      "flash_fwd", "flash_bwd", "fmha_",   "sdpa_sm"};
  return hasTensorOp(KernelName) ||
         std::any_of(Marks.begin(), Marks.end(), [&](std::string_view Mark) {
           return KernelName.find(Mark) != std::string_view::npos;
         });
}

bool mayHaveTensorCores(const std::vector<DeviceProperties> &Devices) {
  bool HasNames = false;
  for (const DeviceProperties &Each : Devices) {
    std::string_view Name = Each.Name;
    bool IsOther = Name.starts_with("AMD") || Name.starts_with("Intel") ||
                   Name.starts_with("gfx") ||
                   Name.find("Instinct") != std::string_view::npos ||
                   Name.find("Radeon") != std::string_view::npos;
    if (!Name.empty() && !IsOther)
      return true;
    HasNames |= !Name.empty();
  }
  return !HasNames;
}

std::string kernelName(std::string_view Name) {
  return demangled(std::string(Name));
}

} // namespace loopscope
