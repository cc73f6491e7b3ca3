// What the HTML page shows of a Loopscope profile.
#include "Report/HtmlPage.h"

#include "Report/Footer.h"
#include "Report/GpuViews.h"
#include "Report/HtmlParts.h"
#include "Report/HtmlTimeline.h"
#include "Report/Numbers.h"
#include "Report/Verdict.h"
#include "Report/Views.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

using namespace loopscope;

namespace {
// Sums over all steps, main part and warm-up.
struct StepSums {
  uint64_t Steps = 0;
  uint64_t Samples = 0;
  int64_t StepNs = 0;
};

StepSums sumSteps(const Profile &P) {
  StepSums Sums;
  for (const Node &N : P.Nodes)
    if (N.Kind == LOOPSCOPE_KIND_STEP) {
      Sums.Steps += N.Spans.count();
      Sums.Samples += N.Samples;
      Sums.StepNs = saturatingAdd(Sums.StepNs, N.FinishedNs);
    }
  return Sums;
}

// The most memory that the device sampler saw the process have, in bytes.
double peakMemory(const DeviceData &D) {
  double Most = 0;
  for (const MetricSum &S : D.Sums)
    if (D.Metrics[S.Metric].Name == "process_rss")
      Most = std::max(Most, S.Max);
  return Most;
}

void addCards(const Profile &P, HtmlRun &Run) {
  Run.Cards.emplace_back("Wall time", siDuration(toSeconds(P.WallNs)));
  if (double Bytes = peakMemory(P.Devices); Bytes > 0)
    Run.Cards.emplace_back("Peak memory",
                           fmt::format("{:.0f} MiB", Bytes / (1 << 20)));
  StepSums Sums = sumSteps(P);
  if (Sums.Steps == 0)
    return;
  Run.Cards.emplace_back("Steps", fmt::format("{}", Sums.Steps));
  Run.Cards.emplace_back(
      "Mean step",
      siDuration(toSeconds(Sums.StepNs) / static_cast<double>(Sums.Steps)));
  if (Sums.StepNs <= 0)
    return;
  if (Sums.Samples != 0)
    Run.Cards.emplace_back("Samples/s", rate(static_cast<double>(Sums.Samples) /
                                             toSeconds(Sums.StepNs)));
  // As the verdict has it.
  RunFigures Figures = runFigures(P);
  double Waiting = 100 * toSeconds(Figures.DrawNs) / toSeconds(Figures.SpanNs);
  Run.Cards.emplace_back("Waiting for data",
                         fmt::format("{:.1f} % of step time", Waiting));
}

// What stands at the top of the page.
void addFindings(const Profile &P, HtmlRun &Run) {
  Run.Verdict = verdict(runFigures(P));
  if (constexpr std::string_view Label = "Verdict: ";
      Run.Verdict.starts_with(Label))
    Run.Verdict.erase(0, Label.size());
  Run.Recommendations = waitWarnings(P);
  for (std::string &Each : recommendations(P))
    Run.Recommendations.push_back(std::move(Each));
}

void addGpuViews(const Profile &P, const ViewOptions &Options, HtmlRun &Run) {
  addView(P, View::Operators, Options, Run);
  addView(P, View::Kernels, Options, Run);
  std::vector<Table> Overview = buildProfileOverview(P);
  // Verdict and recommendations stand at the top of the page.
  Overview.front().Preamble.clear();
  Overview.pop_back();
  addTables(View::Overview, std::move(Overview), Run);
  addPie(addUpKernels(P, false), Run);
}
} // namespace

Result<HtmlRun> loopscope::buildHtmlRun(const Profile &P,
                                        const ViewOptions &Options) {
  Result<Section> Simple = buildSection(P, View::Simple, Options);
  if (!Simple)
    return Simple.error();
  HtmlRun Run;
  Run.Problem = Simple->Problem;
  Section About;
  describeRun(P, About);
  Run.Title = P.Program.substr(P.Program.rfind('/') + 1);
  if (Run.Title.empty())
    Run.Title = P.Path;
  if (!About.Label.empty())
    Run.Title += " (" + About.Label + ")";
  Run.Subtitle =
      fmt::format("{} on {}, process {}", P.CommandLine, P.Host, P.Pid);
  addFindings(P, Run);
  addCards(P, Run);
  addCallPaths(P, Run);
  for (View Which : {View::Simple, View::Throughput, View::Tree, View::Advanced,
                     View::Devices})
    addView(P, Which, Options, Run);
  if (P.Gpu.hasData())
    addGpuViews(P, Options, Run);
  Run.Stack = htmlStack(P);
  Run.Timeline = htmlTimeline(P);
  Run.Footer = About.Footer;
  return Run;
}
