// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of the HTML page.

#include "Report/Html/HtmlParts.h"

#include <algorithm>

using namespace loopscope;

void loopscope::addSteps(const StepBars &Bars, const HtmlPaths &Paths,
                         HtmlRun &Page) {
  HtmlSteps &To = Page.Steps;
  size_t First = Bars.Steps.size() - std::min(Bars.Steps.size(), MaxHtmlSteps);
  To.Node = Paths.ofMain(Bars.Path);
  To.Hidden = First;
  To.Unread = Bars.Recorded - Bars.Steps.size();
  To.MeanNs = Bars.MeanNs;
  auto StepOf = [&](size_t I) {
    const StepBar &Each = Bars.Steps[I];
    return HtmlSteps::Step{Each.Name, Each.StartNs, Each.ns()};
  };
  for (size_t I = First; I < Bars.Steps.size(); ++I)
    To.Steps.push_back(StepOf(I));
  for (const StepBarPart &Each : Bars.Parts) {
    HtmlSteps::Part Part{Each.Name, Paths.ofMain(Each.Path), {}, Each.MeanNs};
    Part.Ns.assign(Each.Ns.begin() + static_cast<ptrdiff_t>(First),
                   Each.Ns.end());
    To.Parts.push_back(std::move(Part));
  }
  for (const SlowStep &Each : Bars.Slowest) {
    const StepBarPart &Part = Bars.Parts[Each.Part];
    To.Slowest.push_back(
        {StepOf(Each.Step), Part.Name, Paths.ofMain(Part.Path), Each.AboveNs});
  }
}
