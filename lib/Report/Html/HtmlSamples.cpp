// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first screen of a program that was sampled and has no marks: what view
// `loops` says of it.

#include "Report/Html/HtmlParts.h"

#include "Report/Views/Loops.h"
#include "Report/Views/View.h"

using namespace loopscope;

namespace {
// The calls in LOOP, by samples of NSOFSAMPLE of CPU time.
HtmlSplit splitOf(const LoopCandidate &Loop, double NsOfSample) {
  HtmlSplit Result;
  Result.Title = "Where the CPU time of this loop goes, by samples";
  for (const LoopPart &Each : Loop.Parts)
    Result.Parts.push_back(
        {partName(Each), None,
         static_cast<int64_t>(static_cast<double>(Each.Count) * NsOfSample)});
  return Result;
}
} // namespace

void loopscope::addSampled(const Run &Of, const HtmlPaths &Paths,
                           HtmlRun &Page) {
  SampledProgram Found = sampledProgram(Of);
  std::vector<Table> Tables = loopTables(Of, Found, /*ForPrograms=*/false);
  bool HasLoop = !Found.Candidates.empty();
  Page.Verdict.Text = samplesLine(Of, Found);
  if (HasLoop)
    Page.Verdict.Text = Tables.front().Title + " " + Page.Verdict.Text;
  Page.Verdict.Evidence.View = LoopsView.Name;
  if (std::string Line = measureLine(Of, Found); !Line.empty())
    Page.Advice.push_back({std::move(Line), -1, "", {}});
  if (HasLoop && Of.Stacks.CpuNs != 0)
    Page.Split = splitOf(Found.Candidates.front(),
                         static_cast<double>(Of.Stacks.CpuNs) /
                             static_cast<double>(Found.Samples));
  addTables(LoopsView, std::move(Tables), Paths, Page);
}
