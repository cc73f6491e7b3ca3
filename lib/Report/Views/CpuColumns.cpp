// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of figures.

#include "Report/Views/CpuColumns.h"

#include "Report/Print/Cells.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
struct CpuFigure {
  const char *Key;
  const char *Header;
  bool IsTime;
  Cell (*Of)(const CpuSums &);
};

constexpr CpuFigure CpuFigureColumns[] = {
    {"cpu_s", "CPU", true, [](const CpuSums &S) { return duration(S.CpuNs); }},
    {"off_cpu_s", "Off-CPU", true,
     [](const CpuSums &S) { return duration(S.offCpuNs()); }},
    {"starved_s", "Starved", true,
     [](const CpuSums &S) {
       return S.hasStarved() ? duration(S.StarvedNs) : absent();
     }},
    {"minor_faults", "Minor faults", false,
     [](const CpuSums &S) { return count(S.MinorFaults); }},
    {"major_faults", "Major faults", false,
     [](const CpuSums &S) { return count(S.MajorFaults); }},
    {"voluntary_switches", "Voluntary switches", false,
     [](const CpuSums &S) { return count(S.VoluntarySwitches); }},
    {"involuntary_switches", "Involuntary switches", false,
     [](const CpuSums &S) { return count(S.InvoluntarySwitches); }},
    {"cpu_measured_s", "Measured", true,
     [](const CpuSums &S) { return duration(S.MeasuredNs); }},
    {"starved_measured_s", "Starved measured", true, [](const CpuSums &S) {
       return S.hasStarved() ? duration(S.StarvedOfNs) : absent();
     }}};
} // namespace

bool loopscope::hasCpu(const Run &R) {
  return std::any_of(R.Nodes.begin(), R.Nodes.end(),
                     [](const Node &N) { return N.Cpu.MeasuredNs > 0; });
}

std::vector<Column> loopscope::cpuColumns(Style Durations,
                                          unsigned FirstPriority) {
  std::vector<Column> Result;
  for (const CpuFigure &Each : CpuFigureColumns) {
    bool NameUnit = Each.IsTime && Durations == Style::Python5;
    Result.push_back(
        {Each.Key, NameUnit ? fmt::format("{} (s)", Each.Header) : Each.Header,
         Each.IsTime ? Durations : Style::Integer, FirstPriority});
  }
  // The last columns are dropped first.
  for (size_t I = 0; I < Result.size(); ++I)
    Result[I].Priority = FirstPriority + static_cast<unsigned>(I);
  return Result;
}

std::vector<Cell> loopscope::cpuCells(const CpuSums &Sums, int64_t TotalNs) {
  if (!Sums.standFor(TotalNs))
    return noCpuCells();
  std::vector<Cell> Result;
  for (const CpuFigure &Each : CpuFigureColumns)
    Result.push_back(Each.Of(Sums));
  return Result;
}

std::vector<Cell> loopscope::noCpuCells() {
  return std::vector<Cell>(std::size(CpuFigureColumns), absent());
}

std::vector<std::string>
loopscope::cpuNotes(const std::vector<std::string> &Short) {
  std::vector<std::string> Result = {
      "CPU is how long the measured spans ran; Off-CPU is the rest of their "
      "time, waiting or without a CPU."};
  std::string Names;
  for (size_t I = 0; I < Short.size(); ++I)
    if (std::find(Short.begin(), Short.begin() + static_cast<ptrdiff_t>(I),
                  Short[I]) == Short.begin() + static_cast<ptrdiff_t>(I))
      Names += (Names.empty() ? "" : ", ") + Short[I];
  if (!Names.empty())
    Result.push_back(
        fmt::format("No CPU figures for {}: too short to measure, or not "
                    "finished; the enclosing step or phase includes them.",
                    Names));
  return Result;
}
