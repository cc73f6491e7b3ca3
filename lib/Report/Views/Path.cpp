// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The path view: a row for every phase of the steps, those that hold them up
// most first.

#include "Analysis/Path/CriticalPath.h"
#include "Analysis/Steps/StepTimeline.h"
#include "Report/Print/Cells.h"
#include "Report/Views/View.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

using namespace loopscope;

namespace {
const std::vector<Column> PathColumns = {
    {"phase", "Phase", Style::Text},
    {"on_path_s", "On path", Style::Time},
    {"on_path_percent", "Share", Style::Percent2},
    {"slack_s", "Slack/Step", Style::Time, 1},
    {"steps_percent", "Steps", Style::Percent2, 2}};

std::string titleOf(const StagePath &Of, const Stage &S, bool IsOnly) {
  std::string Title = "Critical path of " + counted(Of.Steps, "step");
  if (!IsOnly)
    Title += S.Kind == LOOPSCOPE_KIND_ROOT ? " outside all stages"
                                           : " of stage " + S.Id;
  return fmt::format("{}, {}", Title, readableDuration(toSeconds(Of.StepsNs)));
}

Row rowOf(const PathPhase &Phase, const StagePath &Of) {
  Row Next;
  Next.Cells = {text(Phase.Name), duration(Phase.OnPathNs),
                share(Phase.OnPathNs, Of.StepsNs),
                Phase.SlackNs ? duration(*Phase.SlackNs,
                                         *Phase.SlackNs == 0 ? "none" : "")
                              : absent("unknown"),
                share(static_cast<int64_t>(Phase.OnPathSteps),
                      static_cast<int64_t>(Of.Steps))};
  if (Of.StepsNs > 0)
    Next.OwnPercent = static_cast<double>(Phase.OnPathNs) * 100 /
                      static_cast<double>(Of.StepsNs);
  return Next;
}

Table tableOf(const StagePath &Of, const Stage &S, bool IsOnly) {
  Table Result;
  Result.Id = S.Id;
  Result.Where = {{"stage", S.Id}};
  Result.Title = titleOf(Of, S, IsOnly);
  Result.Columns = PathColumns;
  for (const PathPhase &Each : Of.Phases)
    Result.Rows.push_back(rowOf(Each, Of));
  Result.Counts = {{"steps", Of.Steps},
                   {"steps_left_out", Of.LeftOut},
                   {"edges", Of.Edges},
                   {"guessed_edges", Of.Guessed}};
  if (Of.Begun > Of.Steps + Of.LeftOut)
    Result.Notes.push_back(fmt::format("The timeline has {} of {}.",
                                       Of.Steps + Of.LeftOut,
                                       counted(Of.Begun, "step")));
  if (Of.LeftOut != 0)
    Result.Notes.push_back(
        fmt::format("Left out: {} that had not ended, or that the timeline "
                    "doesn't hold in full.",
                    counted(Of.LeftOut, "step")));
  if (Of.Edges != 0)
    Result.Notes.push_back(fmt::format(
        "The path goes from one thread or stream to another {}{}.",
        counted(Of.Edges, "time"),
        Of.Guessed == 0
            ? ""
            : fmt::format("; {} of these edges {} guessed from times alone",
                          Of.Guessed, Of.Guessed == 1 ? "is" : "are")));
  return Result;
}

WithTimeline readsWholeTimeline(const ViewOptions &) {
  return WithTimeline::Yes;
}

Result<std::vector<Table>> buildPath(const Run &R, const ViewOptions &) {
  Stages All = findStages(R);
  std::vector<StagePath> Paths = criticalPaths(R, All);
  std::vector<Table> Tables;
  for (size_t I = 0; I < Paths.size(); ++I)
    if (Paths[I].Steps + Paths[I].LeftOut != 0)
      Tables.push_back(tableOf(Paths[I], All.List[I], All.List.size() == 1));
  if (Tables.empty())
    return noSteps(R);
  return Tables;
}
} // namespace

namespace loopscope {
extern const View PathView = {
    .Name = "path",
    .Help = "the critical path of the steps (LOOPSCOPE=trace)",
    .OfRun = buildPath,
    .HasStageTables = true,
    .OnTimeline = true,
    .Reads = readsWholeTimeline,
};
} // namespace loopscope
