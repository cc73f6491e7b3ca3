// What the HTML page shows of a Loopscope profile.
#include "Report/HtmlPage.h"

#include "Report/Footer.h"
#include "Report/HtmlParts.h"
#include "Report/HtmlTimeline.h"
#include "Report/Numbers.h"
#include "Report/Views.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
double toSeconds(int64_t Ns) { return static_cast<double>(Ns) * 1e-9; }

// Sums over all steps, main part and warm-up.
struct StepSums {
  uint64_t Steps = 0;
  uint64_t Samples = 0;
  int64_t StepNs = 0;
  int64_t DrawNs = 0;
};

StepSums sumSteps(const Profile &P) {
  StepSums Sums;
  for (const Node &N : P.Nodes)
    if (N.Kind == LOOPSCOPE_KIND_STEP) {
      Sums.Steps += N.Spans.count();
      Sums.Samples += N.Samples;
      Sums.StepNs = saturatingAdd(Sums.StepNs, N.FinishedNs);
      for (uint32_t Child : N.Children)
        if (P.Nodes[Child].Kind == LOOPSCOPE_KIND_DRAW)
          Sums.DrawNs = saturatingAdd(Sums.DrawNs, P.Nodes[Child].FinishedNs);
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
  double Waiting = 100 * toSeconds(Sums.DrawNs) / toSeconds(Sums.StepNs);
  Run.Cards.emplace_back("Waiting for data",
                         fmt::format("{:.1f} % of step time", Waiting));
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
  addCards(P, Run);
  addCallPaths(P, Run);
  for (View Which : {View::Simple, View::Throughput, View::Tree, View::Advanced,
                     View::Devices})
    addView(P, Which, Options, Run);
  Run.Stack = htmlStack(P);
  Run.Timeline = htmlTimeline(P);
  Run.Footer = About.Footer;
  return Run;
}
