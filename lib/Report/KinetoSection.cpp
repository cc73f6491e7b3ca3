// One analysis per trace, shared by the tables that a view is made of.
#include "Report/KinetoSection.h"

#include "Profile/KinetoCalls.h"
#include "Profile/KinetoLinks.h"
#include "Profile/KinetoProfile.h"
#include "Profile/KinetoSteps.h"
#include "Report/Cells.h"
#include "Report/Kernels.h"
#include "Report/Numbers.h"
#include "Report/Operators.h"
#include "Report/Overview.h"
#include "Report/TensorBoardJson.h"
#include "Report/ViewNames.h"
#include "Report/Views.h"

#include <fmt/format.h>

namespace loopscope {
namespace {

// What the reader could not read, in words and as counts.
void describeLosses(const KinetoTrace &Trace, uint64_t Overlapping,
                    Section &Out) {
  const TraceLosses &Lost = Trace.Losses;
  struct Loss {
    const char *Key;
    uint64_t Count;
    const char *Noun;
    const char *What;
  };
  const Loss Losses[] = {
      {"bad_events", Lost.Malformed, "event", "not readable, left out"},
      {"negative_durations", Lost.Negative, "duration", "negative, taken as 0"},
      {"overlapping_events", Overlapping, "event",
       "overlapping a neighbour on the same thread, left out"},
      {"bytes_missing", Lost.TornBytes, "byte",
       "after the last whole event, left out"},
      {"bad_utf8", Lost.BadUtf8, "place",
       "with bytes that are no UTF-8, shown "
       "as '?'"}};
  for (const Loss &Each : Losses) {
    Out.Integrity.emplace_back(Each.Key, count(Each.Count));
    if (Each.Count != 0)
      Out.Footer.push_back(
          fmt::format("{}: {}.", counted(Each.Count, Each.Noun), Each.What));
  }
  if (Lost.Torn || !Lost.DamagedInput.empty())
    Out.Problem = fmt::format(
        "{}: ends before the trace does{}{}; the report shows what is there",
        Trace.File, Lost.DamagedInput.empty() ? "" : ": ", Lost.DamagedInput);
}

void describeFile(const KinetoTrace &Trace, Section &Out) {
  Out.File = Trace.File;
  if (Trace.Rank >= 0)
    Out.Label = fmt::format("rank {}", Trace.Rank);
  Out.Facts.emplace_back("schema_version", Trace.SchemaVersion < 0
                                               ? absent()
                                               : Cell{Trace.SchemaVersion, {}});
  Out.Facts.emplace_back("events", count(Trace.Events.size()));
  Out.Facts.emplace_back("rank",
                         Trace.Rank < 0 ? absent() : Cell{Trace.Rank, {}});
  Out.Facts.emplace_back(
      "world_size", Trace.WorldSize < 0 ? absent() : Cell{Trace.WorldSize, {}});
}

// The views that a trace has because it is a profile as well.
Result<Section> profileSection(const KinetoTrace &Trace, View Which,
                               const ViewOptions &Options) {
  Result<Section> Made = buildSection(profileOfTrace(Trace), Which, Options);
  if (!Made)
    return Made;
  Section Out = std::move(*Made);
  Out.Footer.clear();
  Out.Integrity.clear();
  Out.Facts.clear();
  Out.Problem.clear();
  describeTrace(Trace, 0, Out);
  return Out;
}

std::string document(const KinetoTrace &Trace, View Which,
                     const KinetoLinks &Links) {
  if (Which == View::Kernels)
    return tensorBoardKernels(addUpKernels(Trace));
  StepAnalysis Steps = analyzeSteps(Trace, Links);
  if (Which == View::Overview)
    return tensorBoardOverview(Steps);
  HostCalls Calls = buildHostCalls(Trace, Links, CallKinds::Operators);
  return tensorBoardOperators(addUpOperators(Trace, Calls), Steps.UsesGpu);
}

} // namespace

bool isTraceView(View Which) {
  return Which == View::Operators || Which == View::Kernels ||
         Which == View::Overview;
}

Result<Section> buildSection(const KinetoTrace &Trace, View Which,
                             const ViewOptions &Options) {
  if (Trace.Events.empty())
    return Error{
        fmt::format("{}: the trace has no complete event", Trace.File)};
  if (Which == View::Timeline)
    return Error{fmt::format("{}: the timeline view is for Loopscope profiles; "
                             "ui.perfetto.dev shows the trace itself",
                             Trace.File)};
  bool IsDocument = Options.Output == Format::TensorBoardJson;
  if (IsDocument && !isTraceView(Which))
    return Error{fmt::format("{}: --format tensorboard-json has the views "
                             "overview, operators and kernels, not {}",
                             Trace.File, viewName(Which))};
  if (!Options.Thread.empty() &&
      (Which == View::Kernels || Which == View::Overview))
    return Error{fmt::format("{}: --thread is for views of the host; the {} "
                             "view is of the whole process",
                             Trace.File, viewName(Which))};
  if (Which == View::Kernels && Options.ByPhase)
    return Error{fmt::format("{}: --by phase is for Loopscope profiles; traces "
                             "have no phases",
                             Trace.File)};
  if (!isTraceView(Which))
    return profileSection(Trace, Which, Options);

  Section Out;
  Out.ViewName = viewName(Which);
  KinetoLinks Links(Trace);
  if (IsDocument) {
    Out.Raw = document(Trace, Which, Links);
    describeTrace(Trace, 0, Out);
    return Out;
  }
  HostCalls Calls = buildHostCalls(Trace, Links, CallKinds::Operators);
  std::vector<OperatorRow> Operators = addUpOperators(Trace, Calls);
  if (Which == View::Operators) {
    Out.Tables = {
        buildOperators(std::move(Operators), Calls.UnownedDeviceTime)};
  } else {
    std::vector<KernelRow> Kernels = addUpKernels(Trace);
    if (Which == View::Kernels && Kernels.empty())
      return Error{fmt::format("{}: the trace has no kernel; record it with "
                               "ProfilerActivity.CUDA",
                               Trace.File)};
    if (Which == View::Kernels) {
      Out.Tables = {buildKernels(Kernels)};
    } else {
      StepAnalysis Steps = analyzeSteps(Trace, Links);
      Out.Tables = buildOverview(
          Trace, Steps, verdict(Steps),
          advise(Trace, Steps, Operators, Kernels, Framework::PyTorch));
    }
  }
  describeTrace(Trace, Calls.Overlapping, Out);
  return Out;
}

void describeTrace(const KinetoTrace &Trace, uint64_t Overlapping,
                   Section &Out) {
  describeFile(Trace, Out);
  describeLosses(Trace, Overlapping, Out);
}

} // namespace loopscope
