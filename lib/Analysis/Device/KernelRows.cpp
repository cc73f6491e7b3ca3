// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adding up kernels, and what their names say.

#include "Analysis/Device/KernelRows.h"
#include "Symbols/Demangle.h"

#include "Analysis/Device/GpuRows.h"
#include "Run/Model/Intervals.h"
#include "Run/Model/KnownNames.h"
#include "Run/Model/Run.h"

#include <algorithm>
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

bool mayHaveTensorCores(const std::vector<DeviceProperties> &Devices) {
  bool HasNames = false;
  for (const DeviceProperties &Each : Devices) {
    if (!Each.Name.empty() && !isOtherMakers(Each.Name))
      return true;
    HasNames |= !Each.Name.empty();
  }
  return !HasNames;
}

std::string kernelName(std::string_view Name) {
  return demangled(std::string(Name));
}

} // namespace loopscope
