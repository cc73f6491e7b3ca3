// What the HTML page shows of a PyTorch trace. Every analysis is made once and
// serves all parts.
#include "Report/HtmlPage.h"

#include "Profile/KinetoProfile.h"
#include "Report/HtmlParts.h"
#include "Report/HtmlTimeline.h"
#include "Report/KinetoSection.h"
#include "Report/Numbers.h"
#include "Report/Overview.h"
#include "Report/TraceFigures.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

using namespace loopscope;

namespace {
void addCards(const TraceInfo &Trace, const StepAnalysis &Analysis,
              HtmlRun &Run) {
  auto Add = [&](std::string Label, std::string Value) {
    Run.Cards.emplace_back(std::move(Label), std::move(Value));
  };
  if (!Analysis.NoStepMarks)
    Add("Steps", fmt::format("{}", Analysis.Steps.size()));
  Add(Analysis.NoStepMarks ? "Whole run" : "Mean step",
      siDuration(Analysis.AverageStep / NsPerSecond));
  double Waiting = Analysis.AverageRoles[static_cast<size_t>(Role::DataLoader)];
  if (Analysis.AverageStep > 0)
    Add("Waiting for data", fmt::format("{:.1f} % of step time",
                                        Waiting / Analysis.AverageStep * 100));
  for (const GpuUse &Gpu : Analysis.Gpus) {
    std::string Name = fmt::format("GPU {}", Gpu.Device);
    for (const DeviceProperties &Known : Trace.Properties)
      if (Known.Id == Gpu.Device && !Known.Name.empty())
        Name += " " + Known.Name;
    Add(Name + ", running kernels",
        fmt::format("{:.1f} % of the time", Gpu.Utilization * 100));
  }
}

HtmlStack stackOf(const StepAnalysis &Analysis) {
  HtmlStack Stack;
  size_t All = Analysis.Steps.size();
  size_t First = All - std::min(All, MaxHtmlSteps);
  for (size_t I = First; I < All; ++I)
    Stack.Labels.push_back(Analysis.Steps[I].Name);
  Stack.Labels.emplace_back("average");
  for (size_t R = 0; R < RoleCount; ++R) {
    std::vector<double> Seconds;
    for (size_t I = First; I < All; ++I)
      Seconds.push_back(toSeconds(Analysis.Steps[I].Roles[R]));
    Seconds.push_back(Analysis.AverageRoles[R] / NsPerSecond);
    Stack.Parts.emplace_back(roleName(static_cast<Role>(R)),
                             std::move(Seconds));
  }
  return Stack;
}

std::string subtitleOf(const TraceFigures &Of) {
  std::string Text =
      Of.Files == 1
          ? fmt::format("PyTorch trace, {} events", Of.Events)
          : fmt::format("{} PyTorch traces, {} events", Of.Files, Of.Events);
  if (Of.About.Rank >= 0)
    Text += fmt::format(", rank {}", Of.About.Rank);
  if (Of.About.WorldSize > 0)
    Text += fmt::format(" of {}", Of.About.WorldSize);
  if (!Of.About.Backend.empty())
    Text += ", " + Of.About.Backend;
  return Text;
}

// The names of the files that FILES joins, without their directories.
std::string titleOf(const std::string &Files) {
  constexpr std::string_view Between = " + ";
  std::string Title;
  for (size_t At = 0; At <= Files.size();) {
    size_t End = std::min(Files.find(Between, At), Files.size());
    std::string File = Files.substr(At, End - At);
    Title += (Title.empty() ? "" : Between.data()) +
             File.substr(File.rfind('/') + 1);
    At = End + Between.size();
  }
  return Title;
}
} // namespace

HtmlRun loopscope::buildHtmlRun(const TraceFigures &Of,
                                const Profile &AsProfile,
                                const ViewOptions &Options) {
  std::vector<Advice> Findings =
      advise(Of.About, Of.Steps, Of.Operators, Of.Kernels, Framework::PyTorch);
  HtmlRun Run;
  Run.Title = titleOf(Of.About.File);
  Run.Subtitle = subtitleOf(Of);
  Run.Verdict = verdict(Of.Steps);
  // The page has a label for it.
  if (constexpr std::string_view Label = "Verdict: ";
      Run.Verdict.starts_with(Label))
    Run.Verdict.erase(0, Label.size());
  addCards(Of.About, Of.Steps, Run);
  for (const Advice &Each : Findings)
    Run.Recommendations.push_back(Each.Text);
  Run.Stack = stackOf(Of.Steps);
  addCallPaths(AsProfile, Run);
  std::vector<Table> Overview =
      buildOverview(Of.About, Of.Steps, Run.Verdict, Findings);
  // Verdict and recommendations stand at the top of the page.
  std::erase_if(Overview,
                [](const Table &T) { return T.Id == "recommendations"; });
  Overview.front().Preamble.clear();
  addTables(View::Overview, std::move(Overview), Run);
  if (!Of.Operators.empty())
    addTables(View::Operators,
              {buildOperators(Of.Operators, Of.UnownedDeviceTime)}, Run);
  if (!Of.Kernels.empty())
    addTables(View::Kernels, {buildKernels(Of.Kernels)}, Run);
  for (View Which : {View::Simple, View::Throughput, View::Tree})
    addView(AsProfile, Which, Options, Run);
  addPie(Of.Kernels, Run);
  Section About;
  describeTrace(Of.About, Of.Events, Of.Overlapping, About);
  Run.Footer = std::move(About.Footer);
  Run.Problem = std::move(About.Problem);
  return Run;
}

Result<HtmlRun> loopscope::buildHtmlRun(const KinetoTrace &Trace,
                                        const ViewOptions &Options) {
  if (std::optional<Error> Why = refusal(Trace, View::Overview, Options))
    return *Why;
  TraceFigures Figures = figuresOf(Trace, false);
  HtmlRun Run = buildHtmlRun(Figures, profileOfTrace(Trace), Options);
  Run.Timeline = htmlTimeline(Trace, Figures.Steps);
  return Run;
}
