// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the HTML page shows of a run. Every analysis is made once and serves all
// parts.

#include "Report/Html/HtmlPage.h"

#include "Analysis/Advice.h"
#include "Analysis/Verdict.h"
#include "Report/Html/HtmlParts.h"
#include "Report/Html/HtmlTimeline.h"
#include "Report/Views/Footer.h"
#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

using namespace loopscope;

namespace {
// Sums over all steps, main part and warm-up.
struct StepSums {
  uint64_t Steps = 0;
  uint64_t Samples = 0;
  int64_t StepNs = 0;
};

StepSums sumSteps(const Run &P) {
  StepSums Sums;
  for (const Node &N : P.Nodes)
    if (N.Kind == LOOPSCOPE_KIND_STEP) {
      Sums.Steps += N.Spans.count();
      Sums.Samples += N.Samples;
      Sums.StepNs = saturatingAdd(Sums.StepNs, N.FinishedNs);
    }
  return Sums;
}

void addProfileCards(const Run &P, HtmlRun &Page) {
  Page.Cards.emplace_back("Wall time", siDuration(toSeconds(P.WallNs)));
  for (const MetricKind &Each : metricKinds())
    if (double Most = Each.Card ? highestValue(P.Devices, Each.Id) : 0;
        Most > 0)
      Page.Cards.emplace_back(
          Each.Card, fmt::format("{:.0f} {}", Most / Each.Scale, Each.Symbol));
  StepSums Sums = sumSteps(P);
  if (Sums.Steps == 0)
    return;
  Page.Cards.emplace_back("Steps", fmt::format("{}", Sums.Steps));
  Page.Cards.emplace_back(
      "Mean step",
      siDuration(toSeconds(Sums.StepNs) / static_cast<double>(Sums.Steps)));
  if (Sums.StepNs <= 0)
    return;
  if (Sums.Samples != 0)
    Page.Cards.emplace_back(
        "Samples/s",
        rate(static_cast<double>(Sums.Samples) / toSeconds(Sums.StepNs)));
}

// As the verdict has it.
void addWaitingCard(const StepTime &Time, HtmlRun &Page) {
  if (Time.HasSteps)
    Page.Cards.emplace_back("Waiting for data",
                            fmt::format("{:.1f} % of step time",
                                        part(Time.InputNs, Time.HostNs) * 100));
  if (Time.HasWaits)
    Page.Cards.emplace_back(
        "Useful",
        fmt::format("{:.1f} % of {}", part(Time.UsefulNs, Time.HostNs) * 100,
                    Time.HasSteps ? "step time" : "the run"));
}

void addTraceCards(const RunInfo &Trace, const StepAnalysis &Analysis,
                   const std::optional<StepTime> &Time, HtmlRun &Page) {
  auto Add = [&](std::string Label, std::string Value) {
    Page.Cards.emplace_back(std::move(Label), std::move(Value));
  };
  if (!Analysis.NoStepMarks)
    Add("Steps", fmt::format("{}", Analysis.Steps.size()));
  Add(Analysis.NoStepMarks ? "Whole run" : "Mean step",
      siDuration(Analysis.AverageStep / NsPerSecond));
  if (Time)
    addWaitingCard(*Time, Page);
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
    if (R == static_cast<size_t>(Role::Wait) && !Analysis.HasWaits)
      continue;
    std::vector<double> Seconds;
    for (size_t I = First; I < All; ++I)
      Seconds.push_back(toSeconds(Analysis.Steps[I].Roles[R]));
    Seconds.push_back(Analysis.AverageRoles[R] / NsPerSecond);
    Stack.Parts.emplace_back(roleName(static_cast<Role>(R)),
                             std::move(Seconds));
  }
  return Stack;
}

std::string subtitleOf(const Figures &Of) {
  std::string Text = Of.Files == 1 ? fmt::format("PyTorch trace, {} events",
                                                 Of.About.EventCount)
                                   : fmt::format("{} PyTorch traces, {} events",
                                                 Of.Files, Of.About.EventCount);
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
// Title, subtitle and cards.
void addHead(const Run &Of, const Figures &Found, HtmlRun &Page) {
  if (Of.isTrace()) {
    Page.Title = titleOf(Found.About.Path);
    Page.Subtitle = subtitleOf(Found);
    return addTraceCards(Found.About, Found.Steps, Found.Time, Page);
  }
  Page.Title = Of.Program.substr(Of.Program.rfind('/') + 1);
  if (Page.Title.empty())
    Page.Title = Of.Path;
  if (Of.Rank >= 0)
    Page.Title += fmt::format(" (rank {})", Of.Rank);
  Page.Subtitle =
      fmt::format("{} on {}, process {}", Of.CommandLine, Of.Host, Of.Pid);
  addProfileCards(Of, Page);
  if (Found.Time)
    addWaitingCard(*Found.Time, Page);
}

// The page has a label for it.
std::string withoutLabel(std::string Verdict) {
  if (constexpr std::string_view Label = "Verdict: ";
      Verdict.starts_with(Label))
    Verdict.erase(0, Label.size());
  return Verdict;
}

// The tables of a view, without what stands at the top of the page.
void addView(const Run &Of, const Figures &Found, const View &Which,
             const ViewOptions &Options, HtmlRun &Page) {
  if (!Which.OnPage || (!Which.OfRun && !Of.isTrace() && !Of.Gpu.hasData()))
    return;
  Result<std::vector<Table>> Tables =
      Which.OfRun ? Which.OfRun(Of, Options) : Which.OfFigures(Found, Options);
  if (!Tables || Tables->empty())
    return;
  if (Which.ShowsVerdict) {
    Tables->front().Preamble.clear();
    std::erase_if(*Tables,
                  [](const Table &T) { return T.Id == "recommendations"; });
  }
  if (std::all_of(Tables->begin(), Tables->end(),
                  [](const Table &T) { return T.Rows.empty(); }))
    return;
  addTables(Which, std::move(*Tables), Page);
}
} // namespace

HtmlRun loopscope::buildHtmlRun(const Run &Of, const Figures &Found,
                                ViewOptions Options) {
  HtmlRun Page;
  addHead(Of, Found, Page);
  if (Found.Time)
    Page.Verdict = withoutLabel(verdictOf(*Found.Time).line());
  Page.Recommendations = waitWarnings(Of);
  for (const Advice &Each : advise(Found))
    Page.Recommendations.push_back(Each.line());
  Page.Stack = Of.isTrace() ? stackOf(Found.Steps) : htmlStack(Of);
  addCallPaths(Of, Page);
  Options.Stats = true;
  for (const View *Each : allViews())
    addView(Of, Found, *Each, Options, Page);
  if (Of.isTrace() || Of.Gpu.hasData())
    addPie(Found.Kernels, Page);
  Page.Timeline =
      Of.isTrace() ? htmlTimeline(Of.Stream, Found.Steps) : htmlTimeline(Of);
  Section About;
  if (Of.isTrace())
    describeTrace(Found.About, About);
  else
    describeRun(Of, About);
  Page.Footer = std::move(About.Footer);
  Page.Problem = std::move(About.Problem);
  return Page;
}
