// The overview's tables.
#include "Report/Cells.h"
#include "Report/Overview.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace loopscope {
namespace {

constexpr std::array<const char *, RoleCount> RoleKeys = {
    "kernel_s",  "memcpy_s",     "memset_s",   "communication_s",
    "runtime_s", "dataloader_s", "cpu_exec_s", "other_s"};

// How well a role's column can be spared: 1 to 5, by its share of the average
// step; 0 from a quarter on.
unsigned spareness(const StepAnalysis &Analysis, size_t Role) {
  double Part = Analysis.AverageRoles[Role];
  if (Part <= 0)
    return 5;
  unsigned Spare = 4;
  for (double Share : {0.01, 0.05, 0.1, 0.25}) {
    if (Part < Share * Analysis.AverageStep)
      return Spare;
    --Spare;
  }
  return 0;
}

Table stepTable(const StepAnalysis &Analysis, const std::string &Verdict) {
  Table Out;
  Out.Id = "steps";
  Out.Title = "Step time by what it was spent on";
  Out.Preamble = {Verdict};
  Out.Columns = {{"step", "Step", Style::Text},
                 {"total_s", "Total", Style::Duration}};
  // What takes little or nothing is the first to go where the room is short.
  for (size_t R = 0; R < RoleCount; ++R)
    Out.Columns.push_back({RoleKeys[R], roleName(static_cast<Role>(R)),
                           Style::Duration, spareness(Analysis, R)});
  for (const TraceStep &Step : Analysis.Steps) {
    Row Next;
    Next.Cells = {text(Step.Name), duration(Step.Time.End - Step.Time.Start)};
    for (size_t R = 0; R < RoleCount; ++R)
      Next.Cells.push_back(duration(Step.Roles[R]));
    Out.Rows.push_back(std::move(Next));
  }
  Row Average;
  Average.IsTotal = true;
  Average.Cells = {text("average"), seconds(Analysis.AverageStep / 1e9)};
  for (size_t R = 0; R < RoleCount; ++R)
    Average.Cells.push_back(seconds(Analysis.AverageRoles[R] / 1e9));
  Out.Rows.push_back(std::move(Average));
  if (Analysis.NoStepMarks)
    Out.Notes.push_back("The trace has no ProfilerStep marks: step 0 is the "
                        "whole run. Call profiler.step() after every batch.");
  if (Analysis.DroppedSteps != 0)
    Out.Notes.push_back(
        fmt::format("{} at the end left out: the trace lacks their device "
                    "work.",
                    Analysis.DroppedSteps == 1
                        ? "1 step is"
                        : fmt::format("{} steps are", Analysis.DroppedSteps)));
  return Out;
}

Table averageTable(const StepAnalysis &Analysis) {
  Table Out;
  Out.Id = "average";
  Out.Title = "Average step";
  Out.Columns = {{"role", "Spent on", Style::Text},
                 {"time_s", "Time", Style::Duration},
                 {"percent", "Share", Style::Percent2}};
  auto Add = [&](const char *Name, double Ns, bool Total) {
    Row Next;
    Next.Cells = {text(Name), seconds(Ns / 1e9),
                  Analysis.AverageStep > 0
                      ? real(Ns * 100 / Analysis.AverageStep)
                      : absent()};
    Next.IsTotal = Total;
    Out.Rows.push_back(std::move(Next));
  };
  for (size_t R = 0; R < RoleCount; ++R)
    Add(roleName(static_cast<Role>(R)), Analysis.AverageRoles[R], false);
  Add("Step", Analysis.AverageStep, true);
  return Out;
}

} // namespace

Table gpuTable(const TraceInfo &Trace, const StepAnalysis &Analysis) {
  Table Out;
  Out.Id = "gpus";
  Out.Title = "GPUs";
  Out.Columns = {
      {"gpu", "GPU", Style::Text},
      {"utilization_percent", "Utilization", Style::Percent2},
      {"sm_efficiency_percent", "Est. SM Efficiency", Style::Percent2},
      {"occupancy_percent", "Est. Achieved Occupancy", Style::Percent2, 1}};
  for (const GpuUse &Gpu : Analysis.Gpus) {
    std::string Name = fmt::format("{}", Gpu.Device);
    for (const DeviceProperties &Known : Trace.Properties)
      if (Known.Id == Gpu.Device && !Known.Name.empty())
        Name += " " + Known.Name;
    Row Next;
    Next.Cells = {text(Name), real(Gpu.Utilization * 100),
                  Gpu.SmEfficiency < 0 ? absent()
                                       : real(Gpu.SmEfficiency * 100),
                  Gpu.Occupancy < 0 ? absent() : real(Gpu.Occupancy)};
    Out.Rows.push_back(std::move(Next));
  }
  return Out;
}

Table adviceTable(const std::vector<Advice> &Findings) {
  Table Out;
  Out.Id = "recommendations";
  Out.Title = "Recommendations";
  Out.Columns = {{"rule", "Rule", Style::Text},
                 {"figure", "Figure", Style::Number},
                 {"unit", "Unit", Style::Text}};
  for (const Advice &Each : Findings) {
    Row Next;
    // Three significant digits say enough in a table; the note has the unit.
    Next.Cells = {text(Each.Rule),
                  real(Each.Figure, fmt::format("{:.3g}", Each.Figure)),
                  text(Each.Unit)};
    Out.Rows.push_back(std::move(Next));
    Out.Notes.push_back(Each.Rule + ": " + Each.Text);
  }
  if (Findings.empty())
    Out.Notes.push_back("Nothing stands out.");
  return Out;
}

std::vector<Table> stepTables(const TraceInfo &Trace,
                              const StepAnalysis &Analysis,
                              const std::string &Verdict) {
  std::vector<Table> Out = {stepTable(Analysis, Verdict),
                            averageTable(Analysis)};
  if (!Analysis.Gpus.empty())
    Out.push_back(gpuTable(Trace, Analysis));
  return Out;
}

std::vector<Table> buildOverview(const TraceInfo &Trace,
                                 const StepAnalysis &Analysis,
                                 const std::string &Verdict,
                                 const std::vector<Advice> &Findings) {
  std::vector<Table> Out = stepTables(Trace, Analysis, Verdict);
  Out.push_back(adviceTable(Findings));
  return Out;
}

} // namespace loopscope
