// Tables and documents of a trace's figures, and what is said of its file.
#include "Report/KinetoSection.h"

#include "Profile/KinetoProfile.h"
#include "Report/Cells.h"
#include "Report/Kernels.h"
#include "Report/Numbers.h"
#include "Report/Operators.h"
#include "Report/Overview.h"
#include "Report/SelectStage.h"
#include "Report/TensorBoardJson.h"
#include "Report/ViewNames.h"
#include "Report/Views.h"

#include <fmt/format.h>

#include <algorithm>

namespace loopscope {
namespace {

// What the reader could not read, in words and as counts.
void describeLosses(const TraceInfo &Trace, uint64_t Overlapping,
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

void describeFile(const TraceInfo &Trace, uint64_t Events, Section &Out) {
  Out.File = Trace.File;
  if (Trace.Rank >= 0)
    Out.Label = fmt::format("rank {}", Trace.Rank);
  Out.Facts.emplace_back("schema_version", Trace.SchemaVersion < 0
                                               ? absent()
                                               : Cell{Trace.SchemaVersion, {}});
  Out.Facts.emplace_back("events", count(Events));
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
  describeTrace(Trace, Trace.Events.size(), 0, Out);
  return Out;
}

std::string document(const TraceFigures &Of, View Which) {
  if (Which == View::Kernels)
    return tensorBoardKernels(Of.Kernels);
  if (Which == View::Operators)
    return tensorBoardOperators(Of.Operators, Of.Steps.UsesGpu);
  // Workers that the trace doesn't tell of are those whose files there are.
  return tensorBoardOverview(
      Of.Steps, std::max(Of.About.WorldSize, static_cast<int64_t>(Of.Files)));
}

} // namespace

bool isTraceView(View Which) {
  return Which == View::Operators || Which == View::Kernels ||
         Which == View::Overview;
}

std::optional<Error> refusal(const KinetoTrace &Trace, View Which,
                             const ViewOptions &Options) {
  if (Trace.Events.empty())
    return Error{
        fmt::format("{}: the trace has no complete event", Trace.File)};
  if (Which == View::Timeline)
    return Error{fmt::format("{}: the timeline view is for Loopscope profiles; "
                             "ui.perfetto.dev shows the trace itself",
                             Trace.File)};
  if (Options.Output == Format::TensorBoardJson && !isTraceView(Which))
    return Error{fmt::format("{}: --format tensorboard-json has the views "
                             "overview, operators and kernels, not {}",
                             Trace.File, viewName(Which))};
  return std::nullopt;
}

Result<Section> buildSection(const KinetoTrace &Trace, View Which,
                             const ViewOptions &Options) {
  if (std::optional<Error> Why = refusal(Trace, Which, Options))
    return *Why;
  if (!isTraceView(Which))
    return profileSection(Trace, Which, Options);
  Result<TraceFigures> Figures = wantedFigures(Trace, Options);
  return Figures ? buildSection(*Figures, Which, Options) : Figures.error();
}

Result<TraceFigures> wantedFigures(const KinetoTrace &Trace,
                                   const ViewOptions &Options) {
  if (Options.Stage.empty())
    return figuresOf(Trace, Options.ByPhase);
  Result<KinetoTrace> Stage = selectStage(Trace, Options.Stage);
  if (!Stage)
    return Stage.error();
  if (Stage->Events.empty())
    return Error{fmt::format("{}: --stage: the trace has no event of '{}'",
                             Trace.File, Options.Stage)};
  return figuresOf(*Stage, Options.ByPhase);
}

Result<Section> buildSection(const TraceFigures &Of, View Which,
                             const ViewOptions &Options) {
  Section Out;
  Out.ViewName = viewName(Which);
  describeTrace(Of.About, Of.Events, Of.Overlapping, Out);
  if (Options.Output == Format::TensorBoardJson) {
    Out.Raw = document(Of, Which);
    return Out;
  }
  switch (Which) {
  case View::Operators:
    Out.Tables = {buildOperators(Of.Operators, Of.UnownedDeviceTime)};
    break;
  case View::Kernels:
    if (Of.Kernels.empty())
      return Error{fmt::format("{}: the trace has no kernel; record it with "
                               "ProfilerActivity.CUDA",
                               Of.About.File)};
    Out.Tables = {buildKernels(Of.Kernels, Options.ByPhase)};
    break;
  default:
    Out.Tables = buildOverview(Of.About, Of.Steps, verdict(Of.Steps),
                               advise(Of.About, Of.Steps, Of.Operators,
                                      Of.Kernels, Framework::PyTorch));
    break;
  }
  if (!Options.Stage.empty())
    for (Table &Each : Out.Tables)
      Each.Title += ", stage " + Options.Stage;
  return Out;
}

void describeTrace(const TraceInfo &About, uint64_t Events,
                   uint64_t Overlapping, Section &Out) {
  describeFile(About, Events, Out);
  describeLosses(About, Overlapping, Out);
}

} // namespace loopscope
