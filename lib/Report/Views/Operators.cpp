// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators view: PyTorch operators, or a profile's phases and functions,
// in PyTorch's columns.

#include "Analysis/Device/OperatorRows.h"
#include "Analysis/Verdict/Figures.h"
#include "Report/Print/Cells.h"
#include "Report/Print/TensorBoardJson.h"
#include "Report/Views/View.h"
#include "Support/Numbers.h"

#include <algorithm>
#include <fmt/format.h>

namespace loopscope {
namespace {

// Spans that haven't ended don't count as calls.
Cell meanOf(int64_t Total, uint64_t Calls) {
  if (Calls == 0)
    return absent();
  return seconds(static_cast<double>(Total) / static_cast<double>(Calls) /
                 NsPerSecond);
}

Cell textOrNone(const std::string &Text) {
  return Text.empty() ? absent(" ") : text(Text);
}

std::string totalLine(const char *What, int64_t Ns) {
  return fmt::format(
      "{} time total: {}", What,
      Ns == 0 ? "0 s" : siDuration(static_cast<double>(Ns) / NsPerSecond));
}

// Sorted by own device time, or by host time in a run without a GPU. Shares of
// host time are relative to SELF_HOST_TIME (ns), which is at least the rows'
// own; UNOWNED_DEVICE_TIME (ns) is that of work launched in no row.
Table operatorTable(std::vector<OperatorRow> Rows, int64_t UnownedDeviceTime,
                    int64_t SelfHostTime, Grouping By) {
  int64_t RowsHost = 0;
  int64_t AllDevice = 0;
  for (const OperatorRow &Row : Rows) {
    RowsHost = saturatingAdd(RowsHost, Row.HostSelf);
    AllDevice = saturatingAdd(AllDevice, Row.DeviceSelf);
  }
  int64_t AllHost = std::max(RowsHost, SelfHostTime);
  bool UsesGpu = AllDevice > 0;
  std::stable_sort(Rows.begin(), Rows.end(),
                   [&](const OperatorRow &A, const OperatorRow &B) {
                     return UsesGpu ? A.DeviceSelf > B.DeviceSelf
                                    : A.HostSelf > B.HostSelf;
                   });
  Table Out;
  Out.Id = "operators";
  Out.Title = "Operators";
  Out.Columns = {{"name", "Name", Style::Text},
                 {"self_cpu_percent", "Self CPU %", Style::Percent2, 1},
                 {"self_cpu_s", "Self CPU", Style::Duration},
                 {"cpu_total_percent", "CPU total %", Style::Percent2, 7},
                 {"cpu_total_s", "CPU total", Style::Duration, 3},
                 {"cpu_mean_s", "CPU time avg", Style::Duration, 5},
                 {"self_cuda_s", "Self CUDA", Style::Duration},
                 {"self_cuda_percent", "Self CUDA %", Style::Percent2, 2},
                 {"cuda_total_s", "CUDA total", Style::Duration, 4},
                 {"cuda_mean_s", "CUDA time avg", Style::Duration, 6},
                 {"calls", "# of Calls", Style::Integer}};
  if (By == Grouping::Phase)
    Out.Columns.push_back({"phase", "Phase", Style::Text});
  if (By == Grouping::Shape) {
    Out.Columns.push_back(
        {"input_shapes", "Input Shapes", Style::Text, 0, true});
    Out.Columns.push_back({"input_types", "Input Types", Style::Text, 9, true});
  }
  bool HasLinks =
      std::any_of(Rows.begin(), Rows.end(),
                  [](const OperatorRow &Row) { return !Row.Forward.empty(); });
  if (HasLinks)
    Out.Columns.push_back({"forward", "Forward", Style::Text, 8});
  // Without a GPU, its columns are the first to be dropped.
  for (Column &Each : Out.Columns)
    if (!UsesGpu && Each.Key.find("cuda") != std::string::npos)
      Each.Priority += 10;
  for (const OperatorRow &Each : Rows) {
    Row Next;
    Next.Cells = {text(Each.Name),
                  share(Each.HostSelf, AllHost),
                  duration(Each.HostSelf),
                  share(Each.HostTotal, AllHost),
                  duration(Each.HostTotal),
                  meanOf(Each.HostTotal, Each.Calls),
                  duration(Each.DeviceSelf),
                  share(Each.DeviceSelf, AllDevice),
                  duration(Each.DeviceTotal),
                  meanOf(Each.DeviceTotal, Each.Calls),
                  count(Each.Calls)};
    if (By == Grouping::Phase)
      Next.Cells.push_back(text(Each.Phase));
    if (By == Grouping::Shape) {
      Next.Cells.push_back(textOrNone(Each.Inputs.Shapes));
      Next.Cells.push_back(textOrNone(Each.Inputs.Types));
    }
    if (HasLinks)
      Next.Cells.push_back(textOrNone(Each.Forward));
    const Cell &Own = Next.Cells[UsesGpu ? 7 : 1];
    if (const auto *Percent = std::get_if<double>(&Own.Value))
      Next.OwnPercent = *Percent;
    Next.Nodes = Each.Nodes;
    Out.Rows.push_back(std::move(Next));
  }
  Out.Notes.push_back(totalLine("Self CPU", AllHost));
  if (RowsHost < AllHost)
    Out.Notes.back() += fmt::format(
        ", {} of it in no row: ranges of record_function, Python frames, CUDA "
        "calls",
        siDuration(static_cast<double>(AllHost - RowsHost) / NsPerSecond));
  if (UsesGpu)
    Out.Notes.push_back(totalLine("Self CUDA", AllDevice));
  if (UnownedDeviceTime > 0)
    Out.Notes.push_back(fmt::format(
        "{} of device work was launched outside these rows and isn't in them.",
        siDuration(static_cast<double>(UnownedDeviceTime) / NsPerSecond)));
  return Out;
}

Result<std::vector<Table>> build(const Figures &Of,
                                 const ViewOptions &Options) {
  if (Options.By == Grouping::Shape && !Of.HasInputs)
    return Error{fmt::format(
        "{}: {}", Of.About.Path,
        Of.About.From == Origin::Kineto
            ? "the trace has no shapes of operators; PyTorch's profiler "
              "records them with record_shapes=True"
            : "the run has no shapes of operators on record; "
              "LOOPSCOPE=shapes=on "
              "records them in programs built with find_package(Torch) and "
              "loopscope_instrument(target TORCH)")};
  Table Out = operatorTable(Of.Operators, Of.UnownedDeviceTime, Of.SelfHostTime,
                            Options.By);
  if (Of.About.From == Origin::Loopscope && !Of.HasOperators)
    Out.Title = "Phases and functions";
  return std::vector<Table>{std::move(Out)};
}

} // namespace

const View OperatorsView = {
    .Name = "operators",
    .Help = "PyTorch's operators; phases and functions of a profile",
    .OfFigures = build,
    .Shape = {.RowsUnlessAsked = ListUnlessAsked},
    .Parts =
        [](const ViewOptions &Options) {
          // The document says whether a GPU was used.
          return FigureParts{.Kernels = false,
                             .Steps = Options.Output == Format::TensorBoardJson,
                             .Time = false,
                             .ByPhase = Options.By == Grouping::Phase,
                             .ByShape = Options.By == Grouping::Shape};
        },
    .Document =
        [](const Figures &Of) {
          return tensorBoardOperators(Of.Operators, Of.Steps.UsesGpu);
        },
    .Groups = {Grouping::Phase, Grouping::Shape},
};

} // namespace loopscope
