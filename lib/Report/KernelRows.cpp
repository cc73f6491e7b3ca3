// Adding up kernels, and what their names say.
#include "Report/Kernels.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace loopscope {

std::vector<KernelRow> addUpKernels(const KinetoTrace &Trace) {
  std::vector<KernelRow> Rows;
  struct Weighted {
    double Sum = 0;
    bool Known = false;
  };
  std::vector<Weighted> Blocks;
  std::vector<Weighted> Occupancies;
  std::vector<uint32_t> RowOfName(Trace.Strings.size(), 0); // plus one
  for (const TraceEvent &Event : Trace.Events) {
    if (Event.Kind != TraceKind::Kernel)
      continue;
    uint32_t &Number = RowOfName[Event.Name];
    if (Number == 0) {
      KernelRow First;
      First.Name = Trace.name(Event);
      First.Longest = First.Shortest = Event.Duration;
      Rows.push_back(std::move(First));
      Blocks.emplace_back();
      Occupancies.emplace_back();
      Number = static_cast<uint32_t>(Rows.size());
    }
    KernelRow &Row = Rows[Number - 1];
    ++Row.Calls;
    Row.Total += Event.Duration;
    Row.Longest = std::max(Row.Longest, Event.Duration);
    Row.Shortest = std::min(Row.Shortest, Event.Duration);
    const DeviceFacts &Facts = Trace.Devices[Event.Device];
    auto Add = [&](Weighted &To, double Value) {
      if (Value < 0)
        return;
      To.Known = true;
      To.Sum += Value * static_cast<double>(Event.Duration);
    };
    Add(Blocks[Number - 1], Facts.BlocksPerSm);
    Add(Occupancies[Number - 1], Facts.Occupancy);
  }
  for (size_t I = 0; I < Rows.size(); ++I) {
    auto Total = static_cast<double>(Rows[I].Total);
    auto Mean = [&](const Weighted &From) {
      return !From.Known ? -1 : Total > 0 ? From.Sum / Total : 0;
    };
    Rows[I].BlocksPerSm = Mean(Blocks[I]);
    Rows[I].Occupancy = Mean(Occupancies[I]);
  }
  std::sort(Rows.begin(), Rows.end(),
            [](const KernelRow &A, const KernelRow &B) {
              return A.Total != B.Total ? A.Total > B.Total : A.Name > B.Name;
            });
  return Rows;
}

bool usesTensorCores(std::string_view KernelName) {
  // Shapes of the matrix instructions (HMMA 8x8x4 of Volta, 16x8x8 of Turing,
  // 16x8x16 of Ampere; integer 8816, 16832 and 16864; double 884), the
  // instructions of Hopper (warp groups) and Blackwell (tcgen05), and what
  // cuBLAS (nvjet is its family for Hopper and Blackwell), cuDNN, CUTLASS and
  // fused attention put in their names.
  constexpr std::array<std::string_view, 29> Marks = {
      "h884",       "s884",      "d884",      "h1688",   "s1688",  "h16816",
      "s16816",     "bf16816",   "i8816",     "i16832",  "i16864", "tensorop",
      "hmma",       "imma",      "dmma",      "wgmma",   "gmma_",  "TensorOp",
      "tensor16x8", "tensor8x8", "warpgroup", "tcgen05", "nvjet_", "wmma",
      "mma_sync",   "flash_fwd", "flash_bwd", "fmha_",   "sdpa_sm"};
  return std::any_of(Marks.begin(), Marks.end(), [&](std::string_view Mark) {
    return KernelName.find(Mark) != std::string_view::npos;
  });
}

std::string kernelName(std::string_view Name) {
  std::string Text(Name);
  if (!Name.starts_with("_Z"))
    return Text;
  int Status = 0;
  std::unique_ptr<char, void (*)(void *)> Readable(
      abi::__cxa_demangle(Text.c_str(), nullptr, nullptr, &Status), std::free);
  return Status == 0 && Readable ? std::string(Readable.get()) : Text;
}

} // namespace loopscope
