// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts single spans into cells by their start.

#include "Analysis/Steps/KeyTimes.h"

#include <algorithm>
#include <utility>

using namespace loopscope;

namespace {
// What is in order of cells, or goes before the last one.
void addSpan(std::vector<KeyTimeCell> &To, uint32_t Cell, int64_t Ns) {
  auto At = std::ranges::lower_bound(To, Cell, {}, &KeyTimeCell::Cell);
  if (At == To.end() || At->Cell != Cell)
    At = To.insert(At, {Cell, 0, 0, 0});
  ++At->Spans;
  At->Ns = saturatingAdd(At->Ns, Ns);
  At->LongestNs = std::max(At->LongestNs, Ns);
}

class Collector {
public:
  Collector(const Run &R, const std::vector<KeyFamily> &Families,
            const CellGrid &Grid)
      : Grid(Grid), Result(Families.size()),
        PlaceOf(R.Nodes.size(), {None, None}) {
    for (uint32_t F = 0; F < Families.size(); ++F) {
      Result[F].OfKey.resize(Families[F].Keys.size());
      for (uint32_t K = 0; K < Families[F].Keys.size(); ++K)
        for (uint32_t N : Families[F].Keys[K].Nodes)
          PlaceOf[N] = {F, K};
    }
  }

  void add(uint32_t Node, int64_t StartNs, int64_t EndNs) {
    if (Node == None || StartNs < Grid.FromNs || StartNs > Grid.ToNs)
      return;
    auto [Family, Key] = PlaceOf[Node];
    if (Family == None)
      return;
    auto Cell = std::min(
        static_cast<uint32_t>(Grid.Count - 1),
        static_cast<uint32_t>(static_cast<double>(StartNs - Grid.FromNs) /
                              Grid.cellNs()));
    addSpan(Result[Family].All, Cell, EndNs - StartNs);
    addSpan(Result[Family].OfKey[Key], Cell, EndNs - StartNs);
  }

  std::vector<KeyTimes> take() { return std::move(Result); }

private:
  const CellGrid &Grid;
  std::vector<KeyTimes> Result;
  std::vector<std::pair<uint32_t, uint32_t>> PlaceOf; // family and key, by node
};

void addLane(const FileLane &Lane, Collector &To) {
  Lane.Spans->forEach([&](std::span<const FileSpan> Some) {
    for (const FileSpan &Each : Some)
      if (!Each.Open)
        To.add(Lane.NodeOf[Each.Path],
               saturatingAdd(Each.StartNs, Lane.LaterNs),
               saturatingAdd(Each.EndNs, Lane.LaterNs));
  });
}

// Of a trace. The calls of the CUDA runtime have the node that they were made
// in.
void addEvents(const EventStream &Stream, Collector &To) {
  for (uint32_t E = 0; E < Stream.NodeOf.size(); ++E)
    if (const TraceEvent &Each = Stream.Events[E];
        !isDeviceWork(Each.Kind) && Each.Kind != TraceKind::Runtime)
      To.add(Stream.NodeOf[E], Each.Start, Each.end());
}
} // namespace

uint64_t KeyTimes::spans() const {
  uint64_t Sum = 0;
  for (const KeyTimeCell &Each : All)
    Sum += Each.Spans;
  return Sum;
}

std::vector<KeyTimes>
loopscope::keyTimes(const Run &R, const std::vector<KeyFamily> &Families,
                    const CellGrid &Grid) {
  Collector To(R, Families, Grid);
  for (size_t I = 0; I < R.Timeline.size(); ++I) {
    if (const FileLane *Lane = R.fileLane(I)) {
      addLane(*Lane, To);
      continue;
    }
    for (const TimelineSpan &Each : R.Timeline[I])
      if (!Each.Open)
        To.add(Each.Node, Each.StartNs, Each.EndNs);
  }
  addEvents(R.Stream, To);
  return To.take();
}
