// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes JSON as Python's json.dumps does: separated by ", " and ": ", ASCII
// only, floats with the fewest digits, rounding half to even. The rules of each
// document, including its quirks, are documented at its function.

#include "Report/Print/TensorBoardJson.h"

#include "Report/Print/PythonJson.h"
#include "Support/Order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace loopscope {
namespace {

// Whole microseconds print as integers, as in old traces; newer ones have
// decimals.
std::string microseconds(int64_t Ns) {
  return Ns % 1000 == 0 ? fmt::format("{}", Ns / 1000)
                        : pythonFloat(static_cast<double>(Ns) / 1000);
}

// round(x) of Python.
std::string rounded(double Value) {
  return fmt::format("{}", static_cast<int64_t>(std::nearbyint(Value)));
}

std::string roundedMicroseconds(int64_t Ns) {
  return rounded(static_cast<double>(Ns) / 1000);
}

// round(100 * Part / Whole, 2) of Python.
std::string percentage(double Part, double Whole) {
  return pythonRounded(Whole > 0 ? 100 * Part / Whole : 0.0, 2);
}

std::string numberColumn(std::string_view Name) {
  return fmt::format(R"({{"type": "number", "name": {}}})", pythonString(Name));
}

//===-- overview ----------------------------------------------------------===//

// The format has no role for waits inside the process: they go into "Other".
template <typename Time>
Time timeIn(const std::array<Time, RoleCount> &Roles, TimeRole R) {
  Time Result = Roles[static_cast<size_t>(R)];
  if (R == TimeRole::Other)
    Result += Roles[static_cast<size_t>(TimeRole::Wait)];
  return Result;
}

// The roles in rows and averages. Without a GPU, only the host's, with
// communication before them if there is some (Gloo).
std::vector<TimeRole> shownRoles(const StepAnalysis &Of) {
  std::vector<TimeRole> Roles;
  if (Of.UsesGpu)
    Roles = {TimeRole::Kernel, TimeRole::Memcpy, TimeRole::Memset,
             TimeRole::Communication, TimeRole::Runtime};
  else if (Of.HasCommunication)
    Roles = {TimeRole::Communication};
  for (TimeRole R : {TimeRole::DataLoader, TimeRole::CpuExec, TimeRole::Other})
    Roles.push_back(R);
  return Roles;
}

// The headers are in another order than the rows: Communication comes before
// Memset. The original has this mistake, and its readers rely on it.
std::string overviewColumns(const StepAnalysis &Of) {
  std::vector<TimeRole> Roles = shownRoles(Of);
  if (Of.UsesGpu)
    std::swap(Roles[2], Roles[3]);
  std::string Out = R"([{"type": "string", "name": "Step"})";
  for (TimeRole R : Roles)
    Out += ", " + numberColumn(roleName(R)) +
           R"(, {"type": "string", "role": "tooltip", "p": {"html": "true"}})";
  return Out + "]";
}

std::string tooltip(const TraceStep &Step, TimeRole R) {
  int64_t Total = Step.ns();
  int64_t Part = timeIn(Step.Roles, R);
  return fmt::format(
      "<div class=\"visualization-tooltip\" style=\"white-space: nowrap;\">"
      "Step {}<br>Total: {}us<br><b>{}: {}us</b><br>Percentage: {}%</div>",
      Step.Name, microseconds(Total), roleName(R), microseconds(Part),
      percentage(static_cast<double>(Part), static_cast<double>(Total)));
}

std::string overviewRow(const TraceStep &Step, const StepAnalysis &Of) {
  std::string Out = "[" + pythonString(Step.Name);
  for (TimeRole R : shownRoles(Of))
    Out += ", " + microseconds(timeIn(Step.Roles, R)) + ", " +
           pythonString(tooltip(Step, R));
  return Out + "]";
}

std::string averages(const StepAnalysis &Analysis) {
  std::string Parts;
  for (TimeRole R : shownRoles(Analysis)) {
    double Part = timeIn(Analysis.AverageRoles, R);
    Parts += fmt::format(R"({}{{"name": {}, "description": "", "value": {}, )"
                         R"("extra": {}}})",
                         Parts.empty() ? "" : ", ", pythonString(roleName(R)),
                         rounded(Part / 1000),
                         percentage(Part, Analysis.AverageStep));
  }
  return fmt::format(R"([{{"name": "Average Step Time", "description": "", )"
                     R"("value": {}, "extra": 100, "children": [{}]}}])",
                     rounded(Analysis.AverageStep / 1000), Parts);
}

// This format has advice on data loading and on idle GPUs only; other formats
// of the overview have more (Advice.h).
std::string advice(const StepAnalysis &Analysis) {
  std::string Items;
  double Loading =
      Analysis.AverageRoles[static_cast<size_t>(TimeRole::DataLoader)];
  double Share =
      Analysis.AverageStep > 0 ? Loading / Analysis.AverageStep : 0.0;
  if (Share > 0.05)
    Items += fmt::format(
        "<li>This run has high time cost on input data loading. {}% of the "
        "step time is in DataLoader. You could try to set num_workers on "
        "DataLoader's construction and enable multi-processes on data loading. "
        "Reference: <a href =\"https://pytorch.org/docs/stable/data.html"
        "#single-and-multi-process-data-loading\" target=\"_blank\">Single- "
        "and Multi-process Data Loading</a></li>",
        pythonRounded(Share * 100, 1));
  for (const GpuUse &Gpu : Analysis.Gpus)
    if (Gpu.Utilization < 0.5)
      Items += fmt::format("<li>GPU {} is busy {}% of the time. A larger batch "
                           "gives it more to do per launch.</li>",
                           Gpu.Device, pythonRounded(Gpu.Utilization * 100, 1));
  return fmt::format("<ul>{}</ul>", Items.empty() ? "<li>N/A</li>" : Items);
}

std::string environments(const StepAnalysis &Analysis, int64_t Workers) {
  std::string Out;
  auto Add = [&](const std::string &Title, const std::string &Value) {
    Out += fmt::format(R"({}{{"title": {}, "value": {}}})",
                       Out.empty() ? "" : ", ", pythonString(Title),
                       pythonString(Value));
  };
  Add("Number of Worker(s)", fmt::format("{}", Workers));
  Add("Device Type", Analysis.UsesGpu ? "GPU" : "CPU");
  for (const GpuUse &Gpu : Analysis.Gpus) {
    auto AddShare = [&](const char *What, double Percent) {
      Add(fmt::format("{} of GPU{}", What, Gpu.Device),
          pythonRounded(Percent, 2) + " %");
    };
    AddShare("GPU Utilization", Gpu.Utilization * 100);
    if (Gpu.SmEfficiency > 0)
      AddShare("Est. SM Efficiency", Gpu.SmEfficiency * 100);
    if (Gpu.Occupancy > 0)
      AddShare("Est. Achieved Occupancy", Gpu.Occupancy);
  }
  return "[" + Out + "]";
}

//===-- operators ---------------------------------------------------------===//

using OperatorTime = int64_t OperatorRow::*;

std::vector<OperatorRow> byTime(std::vector<OperatorRow> Rows,
                                OperatorTime Time) {
  sortLargestFirst(Rows, [&](const OperatorRow &A) { return A.*Time; });
  return Rows;
}

std::string operatorPie(const std::vector<OperatorRow> &Rows, OperatorTime Time,
                        const char *Title) {
  std::string Slices;
  for (const OperatorRow &Row : byTime(Rows, Time))
    if (Row.*Time > 0)
      Slices += fmt::format("{}[{}, {}]", Slices.empty() ? "" : ", ",
                            pythonString(Row.Name), microseconds(Row.*Time));
  if (Slices.empty())
    return "null";
  return fmt::format(R"-({{"title": "{} (us)", "columns": [{{"type": )-"
                     R"-("string", "name": "name"}}, {{"type": "number", )-"
                     R"-("name": "value"}}], "rows": [{}]}})-",
                     Title, Slices);
}

std::string operatorPies(const std::vector<OperatorRow> &Rows) {
  struct Pie {
    const char *Key;
    const char *Title;
    OperatorTime Time;
  };
  constexpr std::array<Pie, 4> Pies = {{
      {"device_total_time", "Device Total Time", &OperatorRow::DeviceTotal},
      {"device_self_time", "Device Self Time", &OperatorRow::DeviceSelf},
      {"host_total_time", "Host Total Time", &OperatorRow::HostTotal},
      {"host_self_time", "Host Self Time", &OperatorRow::HostSelf},
  }};
  std::string Out;
  for (const Pie &Each : Pies)
    Out += fmt::format("{}\"{}\": {}", Out.empty() ? "" : ", ", Each.Key,
                       operatorPie(Rows, Each.Time, Each.Title));
  return "{" + Out + "}\n";
}

std::string operatorTable(const std::vector<OperatorRow> &Rows, bool UsesGpu) {
  std::string Out;
  for (const OperatorRow &Row : byTime(
           Rows, UsesGpu ? &OperatorRow::DeviceSelf : &OperatorRow::HostSelf)) {
    Out +=
        fmt::format(R"({}{{"name": {}, "calls": {}, )", Out.empty() ? "" : ", ",
                    pythonString(Row.Name), Row.Calls);
    if (UsesGpu)
      Out += fmt::format(
          R"("device_self_duration": {}, "device_total_duration": {}, )",
          roundedMicroseconds(Row.DeviceSelf),
          roundedMicroseconds(Row.DeviceTotal));
    Out += fmt::format(R"("host_self_duration": {}, "host_total_duration": {})"
                       R"(, "has_call_stack": {}}})",
                       roundedMicroseconds(Row.HostSelf),
                       roundedMicroseconds(Row.HostTotal), Row.HasStack);
  }
  return "[" + Out + "]\n";
}

} // namespace

std::string tensorBoardOverview(const StepAnalysis &Analysis, int64_t Workers) {
  std::string Rows;
  for (const TraceStep &Step : Analysis.Steps)
    Rows += (Rows.empty() ? "" : ", ") + overviewRow(Step, Analysis);
  return fmt::format(R"({{"steps": {{"columns": {}, "rows": [{}]}}, )"
                     R"("performance": {}, "recommendations": {}, )"
                     R"("environments": {}}})"
                     "\n",
                     overviewColumns(Analysis), Rows, averages(Analysis),
                     pythonString(advice(Analysis)),
                     environments(Analysis, Workers));
}

std::string tensorBoardOperators(const std::vector<OperatorRow> &Rows,
                                 bool UsesGpu) {
  return operatorPies(Rows) + operatorTable(Rows, UsesGpu);
}

std::string tensorBoardKernels(const std::vector<KernelRow> &Rows) {
  auto Knows = [&](double KernelRow::*Figure) {
    return std::any_of(Rows.begin(), Rows.end(),
                       [&](const KernelRow &Row) { return Row.*Figure >= 0; });
  };
  bool HasBlocks = Knows(&KernelRow::BlocksPerSm);
  bool HasOccupancy = Knows(&KernelRow::Occupancy);
  std::string Columns = R"({"type": "string", "name": "Name"})";
  for (const char *Name : {"Calls", "Total Duration (us)", "Mean Duration (us)",
                           "Max Duration (us)", "Min Duration (us)"})
    Columns += ", " + numberColumn(Name);
  if (HasBlocks)
    Columns += ", " + numberColumn("Mean Blocks Per SM");
  if (HasOccupancy)
    Columns += ", " + numberColumn("Mean Est. Achieved Occupancy (%)");
  std::string Table;
  std::string Pie;
  for (const KernelRow &Row : Rows) {
    std::string Name = pythonString(Row.Name);
    const char *Separator = Table.empty() ? "" : ", ";
    Table += fmt::format("{}[{}, {}, {}, {}, {}, {}", Separator, Name,
                         Row.Calls, roundedMicroseconds(Row.Total),
                         rounded(static_cast<double>(Row.Total) / 1000 /
                                 static_cast<double>(Row.Calls)),
                         roundedMicroseconds(Row.Longest),
                         roundedMicroseconds(Row.Shortest));
    if (HasBlocks)
      Table += ", " + pythonRounded(std::max(Row.BlocksPerSm, 0.0), 2);
    if (HasOccupancy)
      Table += ", " + pythonRounded(std::max(Row.Occupancy, 0.0), 2);
    Table += "]";
    Pie += fmt::format("{}[{}, {}]", Separator, Name,
                       pythonFloat(static_cast<double>(Row.Total) / 1000));
  }
  return fmt::format(R"({{"data": {{"columns": [{}], "rows": [{}]}}}})"
                     "\n"
                     R"({{"total": {{"columns": [{{"type": "string", "name": )"
                     R"("name"}}, {{"type": "number", "name": "value"}}], )"
                     R"("rows": [{}]}}}})"
                     "\n",
                     Columns, Table, Pie);
}

} // namespace loopscope
