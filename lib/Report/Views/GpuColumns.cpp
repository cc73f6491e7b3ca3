// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU figures as cells.

#include "Report/Views/GpuColumns.h"

#include "Report/Print/Cells.h"
#include "Report/Print/Fields.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

using namespace loopscope;

namespace {
Cell timeOf(int64_t Ns) { return duration(Ns, Ns == 0 ? "-" : ""); }

Cell countOf(uint64_t Value, std::string Text = {}) {
  return {static_cast<int64_t>(Value), Value == 0 ? "-" : std::move(Text)};
}

Fields<GpuSums> gpuFields(const GpuByNode &Gpu, Style Durations) {
  bool NameUnit = Durations == Style::Python5;
  auto Time = [&](const char *Key, const char *Header) {
    return Column{Key, NameUnit ? fmt::format("{} (s)", Header) : Header,
                  Durations};
  };
  Fields<GpuSums> Result = {
      {Time("gpu_s", "GPU time"),
       [&](const GpuSums &S) { return timeOf(Gpu.busyNs(S)); }},
      {Time("launch_s", "Launch"),
       [](const GpuSums &S) { return timeOf(S.Calls.LaunchNs); }},
      {Time("blocked_s", "Blocked"),
       [](const GpuSums &S) { return timeOf(S.Calls.WaitNs); }},
      {Time("gpu_idle_s", "GPU idle"),
       [](const GpuSums &S) { return timeOf(S.IdleNs); }},
      {{"kernels", "Kernels", Style::Integer},
       [](const GpuSums &S) { return countOf(S.Kernels); }}};
  if (Gpu.hasMemory()) {
    Result.push_back({{"allocations", "Allocations", Style::Integer},
                      [](const GpuSums &S) { return countOf(S.Allocations); }});
    Result.push_back(
        {{"gpu_memory_peak_bytes", "GPU memory peak", Style::Integer},
         [](const GpuSums &S) {
           return countOf(S.MemoryPeak, siBytes(S.MemoryPeak));
         }});
  }
  return Result;
}
} // namespace

std::vector<Column> loopscope::gpuColumns(const GpuByNode &Gpu,
                                          Style Durations) {
  return columnsOf(gpuFields(Gpu, Durations));
}

std::vector<Cell> loopscope::gpuCells(const GpuByNode &Gpu,
                                      const GpuSums &Sums) {
  return cellsOf(gpuFields(Gpu, Style::Time), Sums);
}

std::vector<std::string> loopscope::gpuNotes(const GpuByNode &Gpu) {
  if (!Gpu.hasData())
    return {};
  auto Time = [](int64_t Ns) {
    return readableDuration(static_cast<double>(Ns) / NsPerSecond);
  };
  std::string Overlap =
      Gpu.overlapNs() == 0 ? "no work of one phase overlapped another's"
      : Gpu.isExact()
          ? fmt::format("work of different call paths overlapped: rows "
                        "together may exceed the device's time by up to {}",
                        Time(Gpu.overlapNs()))
          : fmt::format("work of different phases overlapped: a sum over "
                        "phases is up to {} too high",
                        Time(Gpu.overlapNs()));
  std::vector<std::string> Result = {
      fmt::format("GPU time: how long the device was busy with what the row "
                  "launched, whenever it ran; {}.",
                  Overlap)};
  if (Gpu.unsureNs() != 0)
    Result.push_back(fmt::format(
        "More phases had GPU work at once, or in more combinations, than a "
        "profile keeps apart: a row's GPU time may be up to {} too low.",
        Time(Gpu.unsureNs())));
  return Result;
}
