// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hardware view: for each GPU, what its multiprocessors, tensor cores and
// memory did for each call path.

#include "Analysis/Thresholds.h"
#include "Analysis/Verdict/HardwareNotes.h"
#include "Report/Print/Cells.h"
#include "Report/Views/View.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"

#include <loopscope/run_settings.h>

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
// GPUs from this compute capability on have monitors that NVML can read.
constexpr int FirstWithMonitors = 9;

class HardwareTables {
public:
  HardwareTables(const Run &R, const GpuByNode &Gpu, const HardwareByPath &All,
                 const HardwareOfGpu &Of, bool IsData)
      : R(R), Gpu(Gpu), All(All), Of(Of), IsData(IsData) {
    for (const HardwareKind &Each : hardwareKinds())
      if (const HardwareSum &Sum = Of.All.of(Each.Id);
          Sum.Windows != 0 && (!Each.IsOptional || Sum.Max > 0))
        Shown.push_back(&Each);
    HasEnergy = Of.All.of(HardwareId::Power).Windows != 0;
  }

  Table build();

private:
  void addRow(std::string Name, const char *Kind, int Depth,
              const HardwareRow &Sums, Cell Busy, const Path *Its = nullptr);
  void addPath(uint32_t At);
  void addNotes();
  bool lacksPhase(uint32_t At) const;

  const Run &R;
  const GpuByNode &Gpu;
  const HardwareByPath &All;
  const HardwareOfGpu &Of;
  bool IsData;
  std::vector<const HardwareKind *> Shown;
  bool HasEnergy = false;
  std::vector<std::string> Few;
  Table Result;
};

std::string nameOf(const GpuDevice &D) {
  std::string Name = fmt::format("GPU {}", D.Id);
  if (!D.Process.empty())
    Name += " of " + D.Process;
  return D.Name.empty() ? Name : Name + ", " + D.Name;
}
} // namespace

void HardwareTables::addRow(std::string Name, const char *Kind, int Depth,
                            const HardwareRow &Sums, Cell Busy,
                            const Path *Its) {
  Row Next;
  Next.Depth = Depth;
  if (Sums.windows() < FewestWindows)
    Few.push_back(Name);
  Next.Cells = {text(std::move(Name))};
  if (IsData)
    Next.Cells.push_back(text(Kind));
  Next.Cells.push_back(std::move(Busy));
  Next.Cells.push_back(count(Sums.windows()));
  Next.Cells.push_back(duration(Sums.ns()));
  for (const HardwareKind *Each : Shown) {
    std::optional<double> Mean = Sums.mean(Each->Id);
    if (!Mean) {
      Next.Cells.push_back(absent());
      continue;
    }
    double Value = *Mean / Each->Scale;
    Next.Cells.push_back(
        real(*Mean, fmt::format("{:.{}f}", Value, Value < 99.95 ? 1 : 0)));
  }
  if (HasEnergy) {
    std::optional<double> Joules =
        Its ? joulesPerCall(Sums, *Its) : std::nullopt;
    Next.Cells.push_back(
        Joules ? real(*Joules,
                      fmt::format("{:.{}f}", *Joules, *Joules < 99.95 ? 2 : 0))
               : absent());
  }
  Result.Rows.push_back(std::move(Next));
}

// What has no window of its own, nor below, isn't listed.
void HardwareTables::addPath(uint32_t At) {
  const Path &Its = All.Tree[At];
  const HardwareRow &Sums = Of.Paths[At];
  if (Sums.windows() == 0)
    return;
  if (Its.Depth >= 0)
    addRow(Its.Name, kindWord(Its.Kind), Its.Depth, Sums,
           duration(Gpu.busyNs(Its.Gpu)), &Its);
  if (Its.Depth >= 0)
    Result.Rows.back().Nodes = All.NodesOf[At];
  for (uint32_t Child : Its.Children)
    addPath(Child);
}

void HardwareTables::addNotes() {
  if (!Few.empty())
    Result.Notes.push_back(
        fmt::format("Fewer than {} windows, too few to rely on: {}.",
                    FewestWindows, fmt::join(Few, ", ")));
  if (sampledEvery(R, Of) != 0) {
    Result.Notes.emplace_back(
        "A sample is charged to the deepest phase that launched 95% of the "
        "GPU's work in it, else to its step or what is around that. What NVML "
        "reads instead (power, clocks, shares of other units) is of windows "
        "of 125 ms or more, which only phases that keep the GPU busy for 0.2 s "
        "at a time have.");
    return;
  }
  Result.Notes.emplace_back(
      "A window between two readings is charged to the deepest phase whose "
      "work ran for 95% of it, else to its step or what is around that: "
      "phases that keep the GPU busy for less than 0.2 s at a time have no "
      "figures of their own, and a step's are of everything in it.");
  if (lacksPhase(0) && mayBeSampled(R))
    Result.Notes.emplace_back(
        "LOOPSCOPE=gpu-counters=500us samples phases of milliseconds, too, if "
        "the user may profile the GPU.");
}

// Whether a phase with much of the GPU's work has no figures.
bool HardwareTables::lacksPhase(uint32_t At) const {
  const Path &Its = All.Tree[At];
  bool IsPhase = !holdsIdleTime(Its.Kind) && Its.Kind != LOOPSCOPE_KIND_ROOT &&
                 Its.Kind != LOOPSCOPE_KIND_BATCH && !isFunction(Its.Kind);
  auto Busy = static_cast<double>(Gpu.busyNs(Its.Gpu));
  auto Whole = static_cast<double>(R.Gpu.Devices[Of.Device].BusyNs);
  return (IsPhase && Busy >= HardwareWorthNaming * Whole && Busy > 0 &&
          !Of.Paths[At].mean(HardwareId::SmActive)) ||
         std::ranges::any_of(Its.Children, [this](uint32_t Child) {
           return lacksPhase(Child);
         });
}

Table HardwareTables::build() {
  const GpuDevice &D = R.Gpu.Devices[Of.Device];
  Result.Id = fmt::format("gpu_{}", D.Id);
  if (!D.Process.empty())
    Result.Id += "_" + D.Process;
  Result.Where = {{"gpu", Result.Id}};
  Result.Title = nameOf(D);
  if (uint64_t Ns = sampledEvery(R, Of))
    Result.Preamble.push_back(fmt::format(
        "By CUPTI's PM sampling, a sample every {} µs: means of a phase are of "
        "the time in which its work ran, those of a step and what is around "
        "it of all time.",
        Ns / 1000));
  else
    Result.Preamble.emplace_back(
        "Mean over the windows measured, idle time in them included.");
  for (const HardwareKind *Each : Shown)
    if (Each->Help)
      Result.Preamble.emplace_back(Each->Help);
  Result.Columns = {{"name", "Phase", Style::Text}};
  if (IsData)
    Result.Columns.push_back({"kind", "Kind", Style::Text});
  Result.Columns.push_back({"gpu_s", "GPU time", Style::Time, 3});
  Result.Columns.push_back({"windows", "Windows", Style::Integer, 5});
  Result.Columns.push_back({"measured_s", "Measured", Style::Time, 4});
  for (const HardwareKind *Each : Shown)
    Result.Columns.push_back(
        {Each->Name, Each->Header, Style::Number, Each->IsOptional ? 2U : 0U});
  if (HasEnergy)
    Result.Columns.push_back({"joules_per_call", "J a call", Style::Number, 1});
  addPath(0);
  if (Of.Many.windows() != 0)
    addRow("(different threads)", "none", 0, Of.Many, absent());
  if (Of.Idle.windows() != 0)
    addRow("(GPU idle)", "none", 0, Of.Idle, absent());
  addRow("Total", "none", 0, Of.All, duration(D.BusyNs));
  Result.Rows.back().IsTotal = true;
  addNotes();
  return std::move(Result);
}

namespace {
std::string reasonForNone(const Run &R) {
  if (!R.By->ReadsMachine)
    return fmt::format("{} has no readings of the hardware; --view overview "
                       "says how busy its GPUs were",
                       R.By->Noun);
  if (!R.Gpu.hasData())
    return "the run has no GPU data";
  if (R.Given.of(LOOPSCOPE_SETTING_GPU_COUNTERS) != 0)
    return "CUPTI's PM sampling gave no sample with numbers";
  if (R.Devices.IntervalMs == 0)
    return "the GPU's hardware wasn't read, because the device sampler was "
           "off; run it without devices=off in LOOPSCOPE";
  if (R.Devices.Metrics.empty() ||
      std::ranges::none_of(R.Devices.Metrics,
                           [](const Metric &M) { return M.Device != None; }))
    return fmt::format("NVML gave no readings of the GPU{}",
                       R.Devices.Note.empty() ? "" : ": " + R.Devices.Note);
  for (const GpuDevice &D : R.Gpu.Devices)
    if (D.ComputeMajor >= 0 && D.ComputeMajor < FirstWithMonitors)
      return fmt::format(
          "NVML has readings of SMs, tensor cores and memory from Hopper GPUs "
          "(compute capability 9.0) on, and this one's is {}.{}{}",
          D.ComputeMajor, std::max(0, D.ComputeMinor),
          mayBeSampled(R) ? "; LOOPSCOPE=gpu-counters=500us samples it, if the "
                            "user may profile the GPU"
                          : "");
  return "the run ended before the first readings of the GPU's hardware";
}

Result<std::vector<Table>> buildHardware(const Run &R,
                                         const ViewOptions &Options) {
  bool IsData = Options.Output == Format::Csv || Options.Output == Format::Json;
  GpuByNode Gpu(R);
  HardwareByPath All = hardwareByPath(R, Gpu);
  if (All.Gpus.empty())
    return Error{fmt::format("{}: {}", R.Path, reasonForNone(R))};
  std::vector<Table> Tables;
  for (const HardwareOfGpu &Each : All.Gpus)
    Tables.push_back(HardwareTables(R, Gpu, All, Each, IsData).build());
  return Tables;
}
} // namespace

namespace loopscope {
extern const View HardwareView = {
    .Name = "hardware",
    .Help = "what GPUs' SMs, tensor cores and memory did for each phase",
    .OfRun = buildHardware,
    .Shape = {.Sorts = false, .Cuts = false, .MixedColumns = true},
};
} // namespace loopscope
