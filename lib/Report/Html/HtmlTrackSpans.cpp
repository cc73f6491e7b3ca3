// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the spans of a part of a track.

#include "Report/Html/HtmlTrackSpans.h"

#include <algorithm>
#include <utility>

using namespace loopscope;

namespace {
// Spans whose last end is kept: the search for spans that began long ago passes
// over most blocks.
constexpr size_t BlockSize = 512;

class InMemory : public HtmlTrackSpans {
public:
  explicit InMemory(std::vector<HtmlSpan> All) : Spans(std::move(All)) {
    for (size_t I = 0; I < Spans.size(); ++I) {
      int64_t End = Spans[I].At.EndNs;
      if (I % BlockSize == 0)
        BlockEnds.push_back(End);
      BlockEnds.back() = std::max(BlockEnds.back(), End);
      LastNs = std::max(LastNs, End);
    }
  }

  uint64_t size() const override { return Spans.size(); }
  size_t held() const override { return Spans.size(); }
  int64_t lastNs() const override { return LastNs; }
  int64_t startOf(uint64_t Index) const override {
    return Spans[Index].At.StartNs;
  }

  uint64_t firstAt(int64_t Ns) const override {
    return static_cast<uint64_t>(
        std::lower_bound(
            Spans.begin(), Spans.end(), Ns,
            [](const HtmlSpan &S, int64_t At) { return S.At.StartNs < At; }) -
        Spans.begin());
  }

  std::vector<HtmlSpan> in(int64_t FromNs, int64_t ToNs) const override {
    std::vector<HtmlSpan> Result;
    size_t First = firstAt(FromNs);
    for (size_t Block = 0; Block * BlockSize < First; ++Block) {
      if (BlockEnds[Block] <= FromNs)
        continue;
      for (size_t I = Block * BlockSize;
           I < std::min(First, (Block + 1) * BlockSize); ++I)
        if (Spans[I].At.EndNs > FromNs)
          Result.push_back(Spans[I]);
    }
    size_t End = std::max<size_t>(First, firstAt(ToNs));
    Result.insert(Result.end(), Spans.begin() + static_cast<ptrdiff_t>(First),
                  Spans.begin() + static_cast<ptrdiff_t>(End));
    return Result;
  }

  void
  forEach(const std::function<void(const TrackSpan &)> &Visit) const override {
    for (const HtmlSpan &Each : Spans)
      Visit(Each.At);
  }

private:
  std::vector<HtmlSpan> Spans;
  std::vector<int64_t> BlockEnds; // by block of Spans, the last end
  int64_t LastNs = INT64_MIN;
};

class InFile : public HtmlTrackSpans {
public:
  InFile(const FileLane &Lane, std::vector<uint32_t> PathOf)
      : Spans(Lane.Spans), LaterNs(Lane.LaterNs), PathOf(std::move(PathOf)) {}

  uint64_t size() const override { return Spans->size(); }
  size_t held() const override { return 0; }
  int64_t lastNs() const override { return later(Spans->lastNs()); }
  int64_t startOf(uint64_t Index) const override {
    return later(Spans->startOf(Index));
  }
  uint64_t firstAt(int64_t Ns) const override {
    return Spans->firstAt(saturatingAdd(Ns, -LaterNs));
  }

  std::vector<HtmlSpan> in(int64_t FromNs, int64_t ToNs) const override {
    std::vector<HtmlSpan> Result;
    for (const FileSpan &Each : Spans->in(saturatingAdd(FromNs, -LaterNs),
                                          saturatingAdd(ToNs, -LaterNs)))
      if (TrackSpan At = shown(Each); At.Path != None)
        Result.push_back({At});
    return Result;
  }

  void
  forEach(const std::function<void(const TrackSpan &)> &Visit) const override {
    Spans->forEach([&](std::span<const FileSpan> Some) {
      for (const FileSpan &Each : Some)
        if (TrackSpan At = shown(Each); At.Path != None)
          Visit(At);
    });
  }

private:
  int64_t later(int64_t Ns) const { return saturatingAdd(Ns, LaterNs); }
  TrackSpan shown(const FileSpan &Of) const {
    return {later(Of.StartNs), later(Of.EndNs), PathOf[Of.Path]};
  }

  std::shared_ptr<const FileSpans> Spans;
  int64_t LaterNs;
  std::vector<uint32_t> PathOf;
};
} // namespace

std::shared_ptr<const HtmlTrackSpans>
loopscope::spansInMemory(std::vector<HtmlSpan> Spans) {
  return std::make_shared<InMemory>(std::move(Spans));
}

std::shared_ptr<const HtmlTrackSpans>
loopscope::spansInFile(const FileLane &Lane, std::vector<uint32_t> PathOf) {
  return std::make_shared<InFile>(Lane, std::move(PathOf));
}
