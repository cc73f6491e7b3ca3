// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators view: PyTorch operators, or a profile's phases and functions,
// in PyTorch's columns.

#include "Analysis/Device/OperatorRows.h"
#include "Analysis/Verdict/Figures.h"
#include "Report/Print/Cells.h"
#include "Report/Print/Fields.h"
#include "Report/Print/TensorBoardJson.h"
#include "Report/Views/View.h"
#include "Support/Numbers.h"

#include <algorithm>
#include <fmt/format.h>

namespace loopscope {
namespace {

// Spans that haven't ended don't count as calls.
Cell meanCall(int64_t Total, uint64_t Calls) {
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
      Ns == 0 ? "0 s"
              : readableDuration(static_cast<double>(Ns) / NsPerSecond));
}

// What a part is of a whole, as share() shows it.
std::optional<double> percentOf(int64_t Part, int64_t Whole) {
  Cell Shown = share(Part, Whole);
  const auto *Percent = std::get_if<double>(&Shown.Value);
  return Percent ? std::optional(*Percent) : std::nullopt;
}

// The columns that are always there. Without work of a GPU, its columns are
// empty and the first to be dropped.
Fields<OperatorRow> fieldsOf(int64_t AllHost, int64_t AllDevice) {
  bool HasDevice = AllDevice > 0;
  unsigned Gpu = HasDevice ? 0 : 10;
  return {
      {{"name", "Name", Style::Text},
       [](const OperatorRow &O) { return text(O.Name); }},
      {{"self_cpu_percent", "Self CPU %", Style::Percent2, 1},
       [=](const OperatorRow &O) { return share(O.HostSelf, AllHost); }},
      {{"self_cpu_s", "Self CPU", Style::Time},
       [](const OperatorRow &O) { return duration(O.HostSelf); }},
      {{"cpu_total_percent", "CPU total %", Style::Percent2, 7},
       [=](const OperatorRow &O) { return share(O.HostTotal, AllHost); }},
      {{"cpu_total_s", "CPU total", Style::Time, 3},
       [](const OperatorRow &O) { return duration(O.HostTotal); }},
      {{"cpu_mean_s", "CPU time avg", Style::Time, 5},
       [](const OperatorRow &O) { return meanCall(O.HostTotal, O.Calls); }},
      {{"self_cuda_s", "Self CUDA", Style::Time, Gpu},
       [=](const OperatorRow &O) {
         return HasDevice ? duration(O.DeviceSelf) : absent();
       }},
      {{"self_cuda_percent", "Self CUDA %", Style::Percent2, Gpu + 2},
       [=](const OperatorRow &O) { return share(O.DeviceSelf, AllDevice); }},
      {{"cuda_total_s", "CUDA total", Style::Time, Gpu + 4},
       [=](const OperatorRow &O) {
         return HasDevice ? duration(O.DeviceTotal) : absent();
       }},
      {{"cuda_mean_s", "CUDA time avg", Style::Time, Gpu + 6},
       [=](const OperatorRow &O) {
         return HasDevice ? meanCall(O.DeviceTotal, O.Calls) : absent();
       }},
      {{"calls", "# of Calls", Style::Integer},
       [](const OperatorRow &O) { return count(O.Calls); }}};
}

// Sorted by own device time, or by host time in a run without a GPU. Shares of
// host time are relative to all self time, which is at least the rows' own.
Table operatorTable(const Figures &Of, Grouping By) {
  std::vector<OperatorRow> Rows = Of.Operators;
  int64_t RowsHost = 0;
  int64_t AllDevice = 0;
  for (const OperatorRow &Row : Rows) {
    RowsHost = saturatingAdd(RowsHost, Row.HostSelf);
    AllDevice = saturatingAdd(AllDevice, Row.DeviceSelf);
  }
  int64_t AllHost = std::max(RowsHost, Of.SelfHostTime);
  bool UsesGpu = AllDevice > 0;
  std::stable_sort(Rows.begin(), Rows.end(),
                   [&](const OperatorRow &A, const OperatorRow &B) {
                     return UsesGpu ? A.DeviceSelf > B.DeviceSelf
                                    : A.HostSelf > B.HostSelf;
                   });
  Table Out;
  Out.Id = "operators";
  Out.Title = "Operators";
  Fields<OperatorRow> Shown = fieldsOf(AllHost, AllDevice);
  if (By == Grouping::Phase || By == Grouping::Key)
    Shown.push_back({{"phase", "Phase", Style::Text},
                     [](const OperatorRow &O) { return text(O.Phase); }});
  if (By == Grouping::Shape) {
    Shown.push_back(
        {{"input_shapes", "Input Shapes", Style::Text, 0, true},
         [](const OperatorRow &O) { return textOrNone(O.Inputs.Shapes); }});
    Shown.push_back(
        {{"input_types", "Input Types", Style::Text, 9, true},
         [](const OperatorRow &O) { return textOrNone(O.Inputs.Types); }});
  }
  if (std::any_of(Rows.begin(), Rows.end(),
                  [](const OperatorRow &O) { return !O.Forward.empty(); }))
    Shown.push_back(
        {{"forward", "Forward", Style::Text, 8},
         [](const OperatorRow &O) { return textOrNone(O.Forward); }});
  Out.Columns = columnsOf(Shown);
  for (const OperatorRow &Each : Rows) {
    Row Next;
    Next.Cells = cellsOf(Shown, Each);
    Next.OwnPercent = UsesGpu ? percentOf(Each.DeviceSelf, AllDevice)
                              : percentOf(Each.HostSelf, AllHost);
    Next.Nodes = Each.Nodes;
    Out.Rows.push_back(std::move(Next));
  }
  Out.Notes.push_back(totalLine("Self CPU", AllHost));
  if (RowsHost < AllHost)
    Out.Notes.back() += fmt::format(
        ", {} of it in no row: ranges of record_function{}",
        readableDuration(static_cast<double>(AllHost - RowsHost) / NsPerSecond),
        Of.HasCudaCalls ? ", CUDA calls" : "");
  if (UsesGpu)
    Out.Notes.push_back(totalLine("Self CUDA", AllDevice));
  if (Of.UnownedDeviceTime > 0)
    Out.Notes.push_back(fmt::format(
        "{} of device work was launched outside these rows and isn't in them.",
        readableDuration(static_cast<double>(Of.UnownedDeviceTime) /
                         NsPerSecond)));
  return Out;
}

Result<std::vector<Table>> buildOperators(const Figures &Of,
                                          const ViewOptions &Options) {
  if (Options.By == Grouping::Shape && !Of.HasInputs)
    return Error{fmt::format(
        "{}: {}", Of.About.Path,
        !Of.About.By->TakesWords
            ? "the trace has no shapes of operators; PyTorch's profiler "
              "records them with record_shapes=True"
            : "the run has no shapes of operators on record; "
              "LOOPSCOPE=shapes=on "
              "records them in programs built with find_package(Torch) and "
              "loopscope_instrument(target TORCH)")};
  Table Out = operatorTable(Of, Options.By);
  if (!Of.About.By->KeepsEvents && !Of.HasOperators)
    Out.Title = "Phases and functions";
  return std::vector<Table>{std::move(Out)};
}

} // namespace

extern const View OperatorsView = {
    .Name = "operators",
    .Help = "PyTorch's operators; phases and functions of a profile",
    .OfFigures = buildOperators,
    .Shape = {.RowsUnlessAsked = ListUnlessAsked},
    .Parts =
        [](const ViewOptions &Options) {
          // The document says whether a GPU was used.
          return FigureParts{.Kernels = false,
                             .Steps = Options.Output == Format::TensorBoardJson,
                             .Time = false,
                             .Held = false,
                             .ByPhase = isByPhase(Options),
                             .ByShape = Options.By == Grouping::Shape};
        },
    .Document =
        [](const Figures &Of) {
          return tensorBoardOperators(Of.Operators, Of.Steps.UsesGpu);
        },
    .Groups = {Grouping::Phase, Grouping::Shape, Grouping::Key},
};

} // namespace loopscope
