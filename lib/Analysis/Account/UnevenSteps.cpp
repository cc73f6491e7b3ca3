// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which steps stand out. By ratios to the other steps, so that no scale of time
// is assumed.

#include "Analysis/Account/UnevenSteps.h"

#include "Analysis/Thresholds.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"

#include <algorithm>
#include <fmt/format.h>

using namespace loopscope;

namespace {
// A loop's steps, with the draws of the first ones if they stand out.
struct LoopDraws {
  FirstDraws First;
  int64_t OtherNs = 0; // of the steps that don't stand out
};

LoopDraws drawsOf(const LoopAccount &Of) {
  LoopDraws To;
  for (const AccountPart &Each : Of.Parts)
    if (Each.Use == AccountUse::Draw)
      To.First.AllNs = saturatingAdd(To.First.AllNs, Each.Ns);
  To.OtherNs = Of.StepNs;
  if (Of.FirstSteps == 0 || Of.FirstSteps >= Of.Steps)
    return To;
  // AllNs is without the hooks' own cost.
  int64_t Ns = std::min(Of.FirstDrawNs, To.First.AllNs);
  double First = static_cast<double>(Ns) / static_cast<double>(Of.FirstSteps);
  double Other = static_cast<double>(To.First.AllNs - Ns) /
                 static_cast<double>(Of.Steps - Of.FirstSteps);
  if (First >= static_cast<double>(FirstDrawsLonger) * Other) {
    To.First.Steps = Of.FirstSteps;
    To.First.Ns = Ns;
    To.OtherNs = std::max<int64_t>(0, Of.StepNs - Of.FirstNs);
  }
  return To;
}

// The loops that a verdict is about.
std::vector<const LoopAccount *> judgedLoops(const Account &Of) {
  bool HasTraining =
      std::any_of(Of.Loops.begin(), Of.Loops.end(),
                  [](const LoopAccount &Each) { return Each.IsTraining; });
  std::vector<const LoopAccount *> Chosen;
  for (const LoopAccount &Each : Of.Loops)
    if (!Each.IsNested && (Each.IsTraining || !HasTraining))
      Chosen.push_back(&Each);
  return Chosen;
}

std::string rareStepsNote(const std::string &Loop, const LoopAccount &Of,
                          const RareSteps &Rare) {
  return fmt::format(
      "{} of {} steps{} took at least {} times the median of {}: about {} of "
      "{} together.",
      Rare.Steps, Of.Steps, Loop, RareStepLonger,
      readableDuration(Rare.MedianNs / NsPerSecond),
      readableDuration(toSeconds(Rare.Ns)),
      readableDuration(toSeconds(Of.StepNs)));
}
} // namespace

FirstDraws loopscope::firstDrawsOf(const Account &Of) {
  FirstDraws Sum;
  int64_t OtherNs = 0;
  for (const LoopAccount *Each : judgedLoops(Of)) {
    LoopDraws Next = drawsOf(*Each);
    Sum.Steps += Next.First.Steps;
    Sum.Ns = saturatingAdd(Sum.Ns, Next.First.Ns);
    Sum.AllNs = saturatingAdd(Sum.AllNs, Next.First.AllNs);
    OtherNs = saturatingAdd(OtherNs, Next.OtherNs);
  }
  if (OtherNs > 0)
    Sum.OtherShare = std::min(1.0, static_cast<double>(Sum.AllNs - Sum.Ns) /
                                       static_cast<double>(OtherNs));
  bool IsWorthAWord = static_cast<double>(Sum.Ns) >=
                      LeastFirstDraws * static_cast<double>(Sum.AllNs);
  return IsWorthAWord ? Sum : FirstDraws{};
}

std::string loopscope::firstDrawsNote(const FirstDraws &Of) {
  if (Of.Steps == 0)
    return {};
  std::string Others =
      Of.OtherShare < 0
          ? ""
          : fmt::format("; in the other steps it is {:.1f}% of the time",
                        100 * Of.OtherShare);
  return fmt::format(
      "{} of {} of waiting for data is in the first step{} of {}{}.",
      readableDuration(toSeconds(Of.Ns)), readableDuration(toSeconds(Of.AllNs)),
      Of.Steps == 1 ? "" : "s", counted(Of.Steps, "execution"), Others);
}

RareSteps loopscope::rareStepsOf(const LoopAccount &Of) {
  RareSteps Found;
  if (Of.NestedNs != 0 || Of.Spans.count() == 0)
    return Found;
  Found.MedianNs = Of.Spans.percentileNs(0.5);
  double Limit = static_cast<double>(RareStepLonger) * Found.MedianNs;
  double Ns = 0;
  for (const Bucket &Each : Of.Spans.distribution())
    if (double Longest = std::min(Each.ns(), Of.Spans.maxNs());
        Longest >= Limit) {
      Found.Steps += Each.Count;
      Ns += Longest * static_cast<double>(Each.Count);
    }
  auto All = static_cast<double>(Of.StepNs);
  bool AreRare = static_cast<double>(Found.Steps) <=
                 MostRareSteps * static_cast<double>(Of.Spans.count());
  if (Found.Steps == 0 || !AreRare || Ns < LeastRareTime * All)
    return {};
  Found.Ns = static_cast<int64_t>(std::min(Ns, All));
  return Found;
}

std::vector<std::string> loopscope::unevenStepsNotes(const Run &R,
                                                     const Account &Of) {
  std::vector<std::string> Notes;
  FirstDraws First = firstDrawsOf(Of);
  if (First.Steps != 0)
    Notes.push_back(firstDrawsNote(First));
  std::vector<const LoopAccount *> Loops = judgedLoops(Of);
  for (const LoopAccount *Each : Loops) {
    RareSteps Rare = rareStepsOf(*Each);
    // First steps have their own sentence.
    if (Rare.Steps == 0 || Rare.Steps <= First.Steps)
      continue;
    std::string Loop = Loops.size() < 2 ? ""
                                        : fmt::format(" of the loop at {}",
                                                      siteText(R, Each->Site));
    Notes.push_back(rareStepsNote(Loop, *Each, Rare));
  }
  return Notes;
}
