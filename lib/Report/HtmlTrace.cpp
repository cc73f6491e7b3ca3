// What the HTML page shows of a PyTorch trace. Every analysis is made once and
// serves all parts.
#include "Report/HtmlPage.h"

#include "Profile/KinetoCalls.h"
#include "Profile/KinetoLinks.h"
#include "Profile/KinetoProfile.h"
#include "Profile/KinetoSteps.h"
#include "Report/HtmlParts.h"
#include "Report/HtmlTimeline.h"
#include "Report/Kernels.h"
#include "Report/KinetoSection.h"
#include "Report/Numbers.h"
#include "Report/Operators.h"
#include "Report/Overview.h"

#include <fmt/format.h>

using namespace loopscope;

namespace {
constexpr double SecondsPerNs = 1e-9;

double toSeconds(int64_t Ns) { return static_cast<double>(Ns) * SecondsPerNs; }

void addCards(const KinetoTrace &Trace, const StepAnalysis &Analysis,
              HtmlRun &Run) {
  auto Add = [&](std::string Label, std::string Value) {
    Run.Cards.emplace_back(std::move(Label), std::move(Value));
  };
  if (!Analysis.NoStepMarks)
    Add("Steps", fmt::format("{}", Analysis.Steps.size()));
  Add(Analysis.NoStepMarks ? "Whole run" : "Mean step",
      siDuration(Analysis.AverageStep * SecondsPerNs));
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
    Seconds.push_back(Analysis.AverageRoles[R] * SecondsPerNs);
    Stack.Parts.emplace_back(roleName(static_cast<Role>(R)),
                             std::move(Seconds));
  }
  return Stack;
}

std::string subtitleOf(const KinetoTrace &Trace) {
  std::string Text =
      fmt::format("PyTorch trace, {} events", Trace.Events.size());
  if (Trace.Rank >= 0)
    Text += fmt::format(", rank {}", Trace.Rank);
  if (Trace.WorldSize > 0)
    Text += fmt::format(" of {}", Trace.WorldSize);
  if (!Trace.Backend.empty())
    Text += ", " + Trace.Backend;
  return Text;
}
} // namespace

Result<HtmlRun> loopscope::buildHtmlRun(const KinetoTrace &Trace,
                                        const ViewOptions &Options) {
  if (Trace.Events.empty())
    return Error{
        fmt::format("{}: the trace has no complete event", Trace.File)};
  KinetoLinks Links(Trace);
  HostCalls Calls = buildHostCalls(Trace, Links, CallKinds::Operators);
  StepAnalysis Steps = analyzeSteps(Trace, Links);
  std::vector<OperatorRow> Operators = addUpOperators(Trace, Calls);
  std::vector<KernelRow> Kernels = addUpKernels(Trace);
  std::vector<Advice> Findings =
      advise(Trace, Steps, Operators, Kernels, Framework::PyTorch);
  Profile AsProfile = profileOfTrace(Trace);

  HtmlRun Run;
  Run.Title = Trace.File.substr(Trace.File.rfind('/') + 1);
  Run.Subtitle = subtitleOf(Trace);
  Run.Verdict = verdict(Steps);
  // The page has a label for it.
  if (constexpr std::string_view Label = "Verdict: ";
      Run.Verdict.starts_with(Label))
    Run.Verdict.erase(0, Label.size());
  addCards(Trace, Steps, Run);
  for (const Advice &Each : Findings)
    Run.Recommendations.push_back(Each.Text);
  Run.Stack = stackOf(Steps);
  addCallPaths(AsProfile, Run);
  std::vector<Table> Overview =
      buildOverview(Trace, Steps, Run.Verdict, Findings);
  // Verdict and recommendations stand at the top of the page.
  std::erase_if(Overview,
                [](const Table &T) { return T.Id == "recommendations"; });
  Overview.front().Preamble.clear();
  addTables(View::Overview, std::move(Overview), Run);
  if (!Operators.empty())
    addTables(View::Operators,
              {buildOperators(std::move(Operators), Calls.UnownedDeviceTime)},
              Run);
  if (!Kernels.empty())
    addTables(View::Kernels, {buildKernels(Kernels)}, Run);
  for (View Which : {View::Simple, View::Throughput, View::Tree})
    addView(AsProfile, Which, Options, Run);
  addPie(Kernels, Run);
  Run.Timeline = htmlTimeline(Trace, Steps);
  Section About;
  describeTrace(Trace, Calls.Overlapping, About);
  Run.Footer = std::move(About.Footer);
  Run.Problem = std::move(About.Problem);
  return Run;
}
