// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The overview: what bounds the run, where its steps' time went, how busy the
// GPUs were, and what to do about it.

#include "Analysis/Thresholds.h"
#include "Analysis/Verdict/Advice.h"
#include "Analysis/Verdict/Figures.h"
#include "Analysis/Verdict/Verdict.h"
#include "Report/Print/Cells.h"
#include "Report/Print/TensorBoardJson.h"
#include "Report/Views/FactLines.h"
#include "Report/Views/OverviewScreen.h"
#include "Report/Views/View.h"
#include "Support/Numbers.h"

#include <array>
#include <fmt/format.h>
#include <vector>

namespace loopscope {
namespace {

constexpr std::array<const char *, RoleCount> RoleKeys = {
    "kernel_s",     "memcpy_s", "memset_s",   "communication_s", "runtime_s",
    "dataloader_s", "wait_s",   "cpu_exec_s", "other_s"};

// The roles of a run; waits are included if some are marked.
std::vector<size_t> rolesOf(const StepAnalysis &Analysis) {
  std::vector<size_t> Roles;
  for (size_t R = 0; R < RoleCount; ++R)
    if (R != static_cast<size_t>(TimeRole::Wait) || Analysis.HasWaits)
      Roles.push_back(R);
  return Roles;
}

// A time of the role; empty if no step has any, because then the trace or
// profile may not have what it is made from.
Cell timeOf(const StepAnalysis &Analysis, size_t TimeRole, double Ns) {
  return Analysis.hasSeen(TimeRole) ? seconds(Ns / NsPerSecond) : absent();
}

// A role's column priority: 1 to 5 by its share of the average step; 0, so
// never dropped, from a quarter on.
unsigned columnPriority(const StepAnalysis &Analysis, size_t TimeRole) {
  double Part = Analysis.AverageRoles[TimeRole];
  if (Part <= 0)
    return 5;
  unsigned Priority = 4;
  for (double Share : {0.01, 0.05, 0.1, 0.25}) {
    if (Part < Share * Analysis.AverageStep)
      return Priority;
    --Priority;
  }
  return 0;
}

// What the figures of the steps leave out.
std::vector<std::string> stepNotes(const Figures &Of) {
  const StepAnalysis &Analysis = Of.Steps;
  std::vector<std::string> Notes;
  if (!Of.StepsNote.empty())
    Notes.push_back(Of.StepsNote);
  Notes.insert(Notes.end(), Of.UnevenSteps.begin(), Of.UnevenSteps.end());
  if (Of.Time && Of.Time->hasShortDraws())
    Notes.emplace_back("Draws take less than 1 µs on average, which is too "
                       "short to be a wait for data.");
  if (Of.Time && Of.Time->HasWaits)
    Notes.push_back(
        fmt::format("Useful, outside all waits: {}, {:.1f}% of {}.",
                    readableDuration(toSeconds(Of.Time->UsefulNs)),
                    part(Of.Time->UsefulNs, Of.Time->HostNs) * 100,
                    Of.Time->HasSteps ? "the step time" : "the run"));
  if (Analysis.NoStepMarks)
    Notes.push_back("The trace has no ProfilerStep marks: step 0 is the "
                    "whole run. Call profiler.step() after every batch.");
  if (Analysis.DroppedSteps != 0)
    Notes.push_back(
        Analysis.DroppedSteps == 1
            ? "1 step at the end is left out: the trace lacks its device work."
            : fmt::format("{} steps at the end are left out: the trace lacks "
                          "their device work.",
                          Analysis.DroppedSteps));
  int64_t All = 0;
  for (const TraceStep &Each : Analysis.Steps)
    All = saturatingAdd(All, Each.ns());
  if (static_cast<double>(Analysis.LateNs) >
      DeviceLag * static_cast<double>(All))
    Notes.push_back(fmt::format("The device worked on for {} after {}.",
                                readableDuration(toSeconds(Analysis.LateNs)),
                                Analysis.NoStepMarks ? "the host's last call"
                                                     : "the last step"));
  return Notes;
}

Table stepTable(const Figures &Of) {
  const StepAnalysis &Analysis = Of.Steps;
  Table Out;
  Out.Id = "steps";
  Out.Title = "Step time by what it was spent on";
  Out.Preamble = {verdictHead(Of)};
  Out.Notes = stepNotes(Of);
  Out.Columns = {{"step", "Step", Style::Text},
                 {"total_s", "Total", Style::Time}};
  // What takes little or no time is the first to be dropped.
  for (size_t R : rolesOf(Analysis))
    Out.Columns.push_back({RoleKeys[R], roleName(static_cast<TimeRole>(R)),
                           Style::Time, columnPriority(Analysis, R)});
  for (const TraceStep &Step : Analysis.Steps) {
    Row Next;
    Next.Cells = {text(Step.Name), duration(Step.ns())};
    for (size_t R : rolesOf(Analysis))
      Next.Cells.push_back(Analysis.hasSeen(R) ? duration(Step.Roles[R])
                                               : absent());
    Out.Rows.push_back(std::move(Next));
  }
  Row Average;
  Average.IsTotal = true;
  Average.Cells = {text("average"),
                   seconds(Analysis.AverageStep / NsPerSecond)};
  for (size_t R : rolesOf(Analysis))
    Average.Cells.push_back(timeOf(Analysis, R, Analysis.AverageRoles[R]));
  Out.Rows.push_back(std::move(Average));
  return Out;
}

// A row for each role; with WITHOUT_NONE, only those that take time.
Table roleTable(const StepAnalysis &Analysis, bool WithoutNone) {
  Table Out;
  Out.Id = "average";
  Out.Columns = {{"role", "Spent on", Style::Text},
                 {"time_s", "Time", Style::Time},
                 {"percent", "Share", Style::Percent2}};
  for (size_t R : rolesOf(Analysis)) {
    double Ns = Analysis.AverageRoles[R];
    if (WithoutNone && Ns <= 0)
      continue;
    Row Next;
    Next.Cells = {text(roleName(static_cast<TimeRole>(R))),
                  timeOf(Analysis, R, Ns), absent()};
    if (Analysis.AverageStep > 0 && Analysis.hasSeen(R)) {
      Next.OwnPercent = Ns * 100 / Analysis.AverageStep;
      Next.Cells.back() = real(*Next.OwnPercent);
    }
    Out.Rows.push_back(std::move(Next));
  }
  return Out;
}

Table averageTable(const StepAnalysis &Analysis) {
  Table Out = roleTable(Analysis, false);
  Out.Title = "Average step";
  Row Step;
  Step.Cells = {text("Step"), seconds(Analysis.AverageStep / NsPerSecond),
                Analysis.AverageStep > 0 ? real(100) : absent()};
  Step.IsTotal = true;
  Out.Rows.push_back(std::move(Step));
  return Out;
}

// What people see unless they ask for steps: the verdict and a few rows, headed
// by the step that they are parts of.
Table summaryTable(const Figures &Of) {
  const StepAnalysis &Analysis = Of.Steps;
  Table Out = roleTable(Analysis, true);
  Out.Preamble = {verdictHead(Of)};
  std::string Steps = counted(Analysis.Steps.size(), "step");
  Out.Columns[0].Header =
      Analysis.Steps.size() == 1 ? Steps : "Average of " + Steps;
  Out.Columns[1].Header = readableDuration(Analysis.AverageStep / NsPerSecond);
  Out.Columns[2].Header = "100.00%";
  Out.Notes = stepNotes(Of);
  if (Analysis.Steps.size() > 1)
    Out.Notes.push_back("--rows N shows each of the first N steps; --view "
                        "steps the slowest.");
  return Out;
}

Cell bytes(int64_t Count) {
  return Count < 0 ? absent() : size(static_cast<uint64_t>(Count));
}

// What profile_memory=True recorded: the most that was allocated at once.
Table memoryTable(const RunInfo &About) {
  Table Out;
  Out.Id = "memory";
  Out.Title = "Memory";
  Out.Columns = {{"device", "Device", Style::Text},
                 {"allocated_peak_bytes", "Peak allocated", Style::Integer},
                 {"reserved_peak_bytes", "Peak reserved", Style::Integer, 1},
                 {"total_bytes", "Of the device", Style::Integer, 2}};
  for (const auto &[Process, Peak] : About.PeakHostMemory)
    Out.Rows.push_back(
        {{text(Process.empty() ? "CPU" : fmt::format("CPU ({})", Process)),
          bytes(Peak), absent(), absent()}});
  for (const auto &[Device, Peak] : About.PeakMemory) {
    auto Reserved = About.PeakReserved.find(Device);
    int64_t Total = -1;
    for (const DeviceProperties &Known : About.Properties)
      if (Known.Id == Device)
        Total = Known.TotalMemory;
    Out.Rows.push_back(
        {{text("GPU " + gpuName(About, Device)), bytes(Peak),
          bytes(Reserved == About.PeakReserved.end() ? -1 : Reserved->second),
          bytes(Total)}});
  }
  return Out;
}

Table gpuTable(const RunInfo &About, const StepAnalysis &Analysis) {
  Table Out;
  Out.Id = "gpus";
  Out.Title = "GPUs";
  Out.Columns = {
      {"gpu", "GPU", Style::Text},
      {"utilization_percent", "Utilization", Style::Percent2},
      {"sm_efficiency_percent", "Est. SM Efficiency", Style::Percent2},
      {"occupancy_percent", "Est. Achieved Occupancy", Style::Percent2, 1}};
  for (const GpuUse &Gpu : Analysis.Gpus) {
    Out.Rows.push_back(
        {{text(gpuName(About, Gpu.Device)), real(Gpu.Utilization * 100),
          Gpu.SmEfficiency < 0 ? absent() : real(Gpu.SmEfficiency * 100),
          Gpu.Occupancy < 0 ? absent() : real(Gpu.Occupancy)}});
  }
  return Out;
}

Table adviceTable(const Figures &Of) {
  std::vector<Advice> Findings = advise(Of);
  Table Out;
  Out.Id = "recommendations";
  Out.Title = "Recommendations";
  Out.Columns = {{"rule", "Rule", Style::Text},
                 {"figure", "Figure", Style::Number},
                 {"unit", "Unit", Style::Text},
                 {"saves_s", "Saves at most", Style::Time},
                 {"rows", "See", Style::Text, 1}};
  for (const Advice &Each : Findings) {
    // Three significant digits are enough in a table; the note has the unit.
    Out.Rows.push_back(
        {{text(Each.Rule),
          real(Each.Figure, fmt::format("{:.3g}", Each.Figure)),
          text(Each.Unit), Each.SavesNs < 0 ? absent() : duration(Each.SavesNs),
          text(Each.Rows)}});
    Out.Notes.push_back(Each.Rule + ": " + Each.Text);
  }
  if (Findings.empty())
    Out.Notes.push_back(whyNoAdvice(Of));
  return Out;
}

// What is known without a timeline: figures that overlap, so they aren't parts
// of a whole.
Table totalsTable(const Figures &Of) {
  const StepTime F = Of.Time.value_or(StepTime{});
  Table Out;
  Out.Id = "totals";
  Out.Title = F.HasSteps ? "All steps" : "The whole run";
  Out.Preamble = {verdictHead(Of)};
  Out.Columns = {{"what", "Time in", Style::Text},
                 {"time_s", "Time", Style::Time},
                 {"percent", "Share", Style::Percent2}};
  auto Add = [&](const char *What, int64_t Ns, int64_t Whole) {
    Out.Rows.push_back({{text(What), duration(Ns), share(Ns, Whole)}});
  };
  Add(F.HasSteps ? "all steps" : "run", F.HostNs, F.HostNs);
  Out.Rows.back().IsTotal = true;
  if (F.HasSteps)
    Add(F.inputWords(), F.InputNs, F.HostNs);
  if (F.HasWaits) {
    Add("waiting inside the process", F.WaitNs, F.HostNs);
    Add("useful", F.UsefulNs, F.HostNs);
  }
  if (F.HasGpu) {
    Add("launch calls", F.LaunchNs, F.HostNs);
    Add("blocked in synchronisation", F.BlockedNs, F.HostNs);
    Add("other CUDA calls", F.OtherNs, F.HostNs);
    Add("GPU: kernels", F.KernelNs, F.DeviceNs);
    if (F.HasCommunication)
      Add("GPU: communication alone", F.CommunicationNs, F.DeviceNs);
    Add("GPU: copies and memsets alone", F.CopyNs, F.DeviceNs);
    Add("GPU: idle", F.idleNs(), F.DeviceNs);
    Out.Notes.push_back("Host and GPU work at the same time, so host rows and "
                        "GPU rows overlap.");
  }
  Out.Notes.insert(Out.Notes.end(), Of.UnevenSteps.begin(),
                   Of.UnevenSteps.end());
  Out.Notes.push_back(Of.StepsNote);
  return Out;
}

// Puts SENTENCES before the last note, because two short paragraphs would take
// more lines than one.
void addToLastNote(std::vector<std::string> &Notes,
                   const std::vector<std::string> &Sentences) {
  std::string Joined = fmt::format("{}", fmt::join(Sentences, " "));
  if (Joined.empty())
    return;
  if (Notes.empty())
    Notes.emplace_back();
  else
    Joined += " ";
  Notes.back().insert(0, Joined);
}

Result<std::vector<Table>> buildOverview(const Figures &Of,
                                         const ViewOptions &Options) {
  bool ForPeople =
      Options.Output == Format::Text || Options.Output == Format::Markdown;
  bool WantsRows = Options.Rows || !Options.Filter.empty() ||
                   !Options.Sort.empty() || !Options.Columns.empty();
  bool OneScreen = ForPeople && !WantsRows;
  std::vector<Table> Out;
  if (OneScreen)
    Out = {Of.HasSteps ? summaryTable(Of) : totalsScreen(Of, verdictHead(Of))};
  else if (Of.HasSteps)
    Out = {stepTable(Of), averageTable(Of.Steps)};
  else
    Out = {totalsTable(Of)};
  if (OneScreen)
    addToLastNote(Out.back().Notes, gpuNotes(Of, "--rows all"));
  else if (!Of.Steps.Gpus.empty())
    Out.push_back(gpuTable(Of.About, Of.Steps));
  // Where allocations are known, the kernels view has them.
  if (!Of.About.By->KnowsAllocations &&
      (!Of.About.PeakHostMemory.empty() || !Of.About.PeakMemory.empty()))
    Out.push_back(memoryTable(Of.About));
  // Its columns can be chosen.
  bool AsTables = !ForPeople || !Options.Columns.empty();
  Out.push_back(AsTables    ? adviceTable(Of)
                : OneScreen ? adviceScreen(Of, 1, "--rows all")
                            : adviceList(Of));
  if (std::string Line = factsLine(Of.About); ForPeople && !Line.empty())
    Out.back().Notes.push_back(std::move(Line));
  for (Table &Each : Out)
    Each.Where = {{"table", Each.Id}};
  return Out;
}

// If traces don't say how many workers there are, each file counts as one.
std::string document(const Figures &Of) {
  return tensorBoardOverview(
      Of.Steps, std::max(Of.About.WorldSize, static_cast<int64_t>(Of.Files)));
}

} // namespace

extern const View OverviewView = {
    .Name = "overview",
    .Help = "what bounds the run, steps by role, GPUs, what to do",
    .OfFigures = buildOverview,
    .Shape = {.FirstOnly = true},
    .Reads = overviewTimeline,
    .Parts = overviewParts,
    .Document = document,
    .ShowsVerdict = true,
    .Phases = PhasesOfRanks::Sums,
};

} // namespace loopscope
