// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the spans of a part of a timeline.

#include "Report/Html/HtmlSpans.h"

#include <algorithm>
#include <utility>

using namespace loopscope;

namespace {
// Spans whose last end is kept: the search for spans that began long ago passes
// over most blocks.
constexpr size_t BlockSize = 512;

// Gives SPANS, whose paths are of FROM, paths of their own.
void usePaths(const std::vector<HtmlTimeline::Path> &From,
              const std::vector<uint32_t> &OnPage, HtmlSpanWindow::Track &Of) {
  std::vector<uint32_t> Now(From.size(), None);
  for (const HtmlSpan &S : Of.Spans.Spans)
    for (uint32_t P = S.At.Path; P != None && Now[P] == None;
         P = From[P].Parent)
      Now[P] = 0; // it is used
  for (uint32_t P = 0; P < From.size(); ++P) {
    if (Now[P] == None)
      continue;
    Now[P] = static_cast<uint32_t>(Of.Paths.size());
    Of.Paths.emplace_back(OnPage[P], From[P]);
    uint32_t &Parent = Of.Paths.back().second.Parent;
    Parent = Parent == None ? None : Now[Parent];
  }
  for (HtmlSpan &S : Of.Spans.Spans)
    S.At.Path = Now[S.At.Path];
}
} // namespace

void HtmlSpans::add(uint32_t Index, std::vector<HtmlTimeline::Path> Paths,
                    std::vector<uint32_t> OnPage, std::vector<HtmlSpan> Spans) {
  Track New{Index, std::move(Paths), std::move(OnPage), std::move(Spans), {}};
  for (size_t I = 0; I < New.Spans.size(); ++I) {
    if (I % BlockSize == 0)
      New.BlockEnds.push_back(New.Spans[I].At.EndNs);
    New.BlockEnds.back() =
        std::max(New.BlockEnds.back(), New.Spans[I].At.EndNs);
  }
  Tracks.push_back(std::move(New));
}

size_t HtmlSpans::size() const {
  size_t Sum = 0;
  for (const Track &Each : Tracks)
    Sum += Each.Spans.size();
  return Sum;
}

size_t HtmlSpans::Track::firstAt(int64_t Ns) const {
  return static_cast<size_t>(
      std::lower_bound(
          Spans.begin(), Spans.end(), Ns,
          [](const HtmlSpan &S, int64_t At) { return S.At.StartNs < At; }) -
      Spans.begin());
}

std::vector<size_t> HtmlSpans::Track::runningAt(int64_t Ns) const {
  std::vector<size_t> Found;
  size_t End = firstAt(Ns);
  for (size_t Block = 0; Block * BlockSize < End; ++Block) {
    if (BlockEnds[Block] <= Ns)
      continue;
    for (size_t I = Block * BlockSize;
         I < std::min(End, (Block + 1) * BlockSize); ++I)
      if (Spans[I].At.EndNs > Ns)
        Found.push_back(I);
  }
  return Found;
}

HtmlSpanWindow HtmlSpans::window(int64_t FromNs, int64_t ToNs,
                                 size_t Most) const {
  HtmlSpanWindow Result{FromNs, ToNs, false, {}};
  std::vector<std::vector<size_t>> Running;
  size_t Before = 0;
  for (const Track &Each : Tracks) {
    Running.push_back(Each.runningAt(FromNs));
    Before += Running.back().size();
  }
  auto CountUntil = [&](int64_t Ns) {
    size_t Sum = Before;
    for (const Track &Each : Tracks)
      Sum += Each.firstAt(Ns) - Each.firstAt(FromNs);
    return Sum;
  };
  if (CountUntil(ToNs) > Most) {
    // The last time that is known to be early enough, the first that is late.
    int64_t Early = FromNs;
    int64_t Late = ToNs;
    while (Late - Early > 1) {
      int64_t Middle = Early + (Late - Early) / 2;
      (CountUntil(Middle) > Most ? Late : Early) = Middle;
    }
    Result.ToNs = Early;
    Result.IsCut = true;
  }
  if (Result.ToNs == FromNs)
    return Result;
  for (size_t I = 0; I < Tracks.size(); ++I) {
    const Track &From = Tracks[I];
    HtmlSpanWindow::Track Part{From.Index, {}, {FromNs, Result.ToNs, {}}};
    std::vector<HtmlSpan> &Spans = Part.Spans.Spans;
    for (size_t Each : Running[I])
      Spans.push_back(From.Spans[Each]);
    for (size_t Each = From.firstAt(FromNs); Each < From.firstAt(Result.ToNs);
         ++Each)
      Spans.push_back(From.Spans[Each]);
    usePaths(From.Paths, From.OnPage, Part);
    Result.Tracks.push_back(std::move(Part));
  }
  return Result;
}
