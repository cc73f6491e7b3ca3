// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the spans of a part of a timeline.

#include "Report/Html/HtmlSpans.h"

#include <utility>

using namespace loopscope;

namespace {
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
                    std::vector<uint32_t> OnPage,
                    std::shared_ptr<const HtmlTrackSpans> Spans) {
  Tracks.push_back(
      {Index, std::move(Paths), std::move(OnPage), std::move(Spans)});
}

uint64_t HtmlSpans::size() const {
  uint64_t Sum = 0;
  for (const Track &Each : Tracks)
    Sum += Each.Spans->size();
  return Sum;
}

size_t HtmlSpans::held() const {
  size_t Sum = 0;
  for (const Track &Each : Tracks)
    Sum += Each.Spans->held();
  return Sum;
}

HtmlSpanWindow HtmlSpans::window(int64_t FromNs, int64_t ToNs,
                                 size_t Most) const {
  HtmlSpanWindow Result{FromNs, ToNs, false, {}};
  std::vector<uint64_t> Firsts; // by track
  uint64_t Running = 0;
  for (const Track &Each : Tracks) {
    Firsts.push_back(Each.Spans->firstAt(FromNs));
    Running += Each.Spans->in(FromNs, FromNs).size();
  }
  auto CountUntil = [&](int64_t Ns) {
    uint64_t Sum = Running;
    for (size_t I = 0; I < Tracks.size(); ++I)
      Sum += Tracks[I].Spans->firstAt(Ns) - Firsts[I];
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
  for (const Track &From : Tracks) {
    HtmlSpanWindow::Track Part{
        From.Index,
        {},
        {FromNs, Result.ToNs, From.Spans->in(FromNs, Result.ToNs)}};
    usePaths(From.Paths, From.OnPage, Part);
    Result.Tracks.push_back(std::move(Part));
  }
  return Result;
}
