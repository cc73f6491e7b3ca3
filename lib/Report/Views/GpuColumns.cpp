// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU figures as cells.

#include "Report/Views/GpuColumns.h"

#include "Report/Print/Cells.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

using namespace loopscope;

std::vector<Column> loopscope::gpuColumns(const GpuByNode &Gpu,
                                          Style Durations) {
  bool NameUnit = Durations != Style::Duration;
  auto Header = [&](const char *Text) {
    return NameUnit ? fmt::format("{} (s)", Text) : std::string(Text);
  };
  std::vector<Column> Result = {{"gpu_s", Header("GPU time"), Durations},
                                {"launch_s", Header("Launch"), Durations},
                                {"blocked_s", Header("Blocked"), Durations},
                                {"gpu_idle_s", Header("GPU idle"), Durations},
                                {"kernels", "Kernels", Style::Integer}};
  if (Gpu.hasMemory()) {
    Result.push_back({"allocations", "Allocations", Style::Integer});
    Result.push_back(
        {"gpu_memory_peak_bytes", "GPU memory peak", Style::Integer});
  }
  return Result;
}

std::vector<Cell> loopscope::gpuCells(const GpuByNode &Gpu,
                                      const GpuSums &Sums) {
  auto Time = [](int64_t Ns) { return duration(Ns, Ns == 0 ? "-" : ""); };
  auto Count = [](uint64_t Value, std::string Text = {}) {
    return Cell{static_cast<int64_t>(Value),
                Value == 0 ? std::string("-") : std::move(Text)};
  };
  std::vector<Cell> Result = {Time(Gpu.busyNs(Sums)), Time(Sums.Calls.LaunchNs),
                              Time(Sums.Calls.WaitNs), Time(Sums.IdleNs),
                              Count(Sums.Kernels)};
  if (Gpu.hasMemory()) {
    Result.push_back(Count(Sums.Allocations));
    Result.push_back(Count(Sums.MemoryPeak, siBytes(Sums.MemoryPeak)));
  }
  return Result;
}

std::vector<std::string> loopscope::gpuNotes(const GpuByNode &Gpu) {
  if (!Gpu.hasData())
    return {};
  auto Time = [](int64_t Ns) {
    return siDuration(static_cast<double>(Ns) / NsPerSecond);
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
