// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions below call paths on the HTML page, by samples.

#include "Analysis/Samples/SampledProgram.h"
#include "Analysis/Samples/SampledStacks.h"
#include "Report/Html/HtmlParts.h"
#include "Support/Numbers.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

using namespace loopscope;

namespace {
// Keeps the longest MaxHtmlPaths of FRAMES. A frame is never longer than its
// parent, so the result is still trees. The number of those that are left out.
size_t keepLongest(std::vector<HtmlFrame> &Frames) {
  if (Frames.size() <= MaxHtmlPaths)
    return 0;
  std::vector<int64_t> Times;
  for (const HtmlFrame &Each : Frames)
    Times.push_back(Each.Ns);
  auto Cut = Times.begin() + MaxHtmlPaths;
  std::nth_element(Times.begin(), Cut, Times.end(), std::greater<>());
  std::vector<uint32_t> Now(Frames.size(), None);
  std::vector<HtmlFrame> Kept;
  for (size_t I = 0; I < Frames.size(); ++I) {
    if (Frames[I].Ns <= *Cut)
      continue;
    Now[I] = static_cast<uint32_t>(Kept.size());
    Kept.push_back(std::move(Frames[I]));
    if (uint32_t &Parent = Kept.back().Parent; Parent != None)
      Parent = Now[Parent];
  }
  size_t LeftOut = Frames.size() - Kept.size();
  Frames = std::move(Kept);
  return LeftOut;
}
} // namespace

void loopscope::addFrames(const Run &R, const HtmlPaths &Paths, HtmlRun &Page) {
  if (R.Stacks.Samples.empty() || Page.Nodes.empty())
    return;
  std::map<std::tuple<uint32_t, uint32_t, StackFunction>, uint32_t> FrameOf;
  std::vector<HtmlFrame> &Frames = Page.Frames;
  bool IsSampled = hasSamplesOnly(R); // all threads are alike
  for (const SampledStack &Each : sampledStacks(R)) {
    uint32_t Node = Each.Node == None ? None : Paths.Shown[Each.Node];
    if (Node == None)
      Node = 0;
    std::vector<StackFunction> Functions = Each.Functions;
    if (Each.IsForeign && !IsSampled)
      Functions.insert(Functions.begin(),
                       {fmt::format("thread {}", Each.Thread), "", 0});
    uint32_t Above = None;
    for (const StackFunction &Function : Functions) {
      auto [Found, IsNew] =
          FrameOf.try_emplace({Node, Above, Function}, Frames.size());
      if (IsNew)
        Frames.push_back({Function.Name, Node, Above,
                          std::string(fileName(Function.File)), Function.Line,
                          Page.sourceOf(Function.File), 0});
      Above = Found->second;
      Frames[Above].Ns = saturatingAdd(Frames[Above].Ns, Each.Ns);
    }
  }
  if (size_t LeftOut = keepLongest(Frames))
    Page.TreeNotes.push_back(fmt::format(
        "{} of sampled functions with the least time are not on this page; "
        "their time is part of the callers'. `loopscope export --to folded` "
        "writes them.",
        counted(LeftOut, "call path")));
}
