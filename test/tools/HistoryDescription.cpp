// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a described profile's history.

#include "HistoryDescription.h"

#include "Run/Model/Moments.h"

#include <loopscope/history_lanes.h>

#include <cstdlib>
#include <string>

namespace {
// The described tree as history_lanes.h wants it.
struct Tree {
  const std::vector<loopscope_profile_node> &Nodes;

  uint32_t parent(uint32_t N) const { return Nodes[N].parent; }
  bool isRoot(uint32_t N) const { return Nodes[N].parent == LOOPSCOPE_NONE; }
  uint32_t kind(uint32_t N) const { return Nodes[N].kind; }
  uint32_t site(uint32_t N) const { return Nodes[N].site; }
  bool isCut(uint32_t N) const {
    return (Nodes[N].flags & LOOPSCOPE_NODE_CUT) != 0;
  }
};
} // namespace

uint32_t
HistoryDescription::laneOf(uint32_t Node, const DescriptionContext &C,
                           const std::vector<loopscope_profile_node> &Nodes) {
  loopscope::history::Key Key = loopscope::history::keyOf(Tree{Nodes}, Node);
  if (!Key.isLane())
    C.Die("the history follows no such call path");
  for (uint32_t I = 0; I < Lanes.size(); ++I)
    if (loopscope::history::keyOf(Lanes[I]) == Key)
      return I;
  Lanes.push_back({Key.Site,
                   Key.Kind,
                   Key.Loop,
                   Key.IsNested ? LOOPSCOPE_HISTORY_NESTED : 0u,
                   {}});
  return static_cast<uint32_t>(Lanes.size() - 1);
}

bool HistoryDescription::readGauge(const std::string &Key,
                                   const std::string &Value,
                                   loopscope_history_bin &Bin) const {
  using loopscope::history::Gauges;
  for (uint32_t I = 0; I < LOOPSCOPE_HISTORY_GAUGE_COUNT; ++I)
    if (Key == Gauges[I].Metric) {
      auto Whole = static_cast<uint32_t>(
          std::strtod(Value.c_str(), nullptr) * Gauges[I].Parts + 0.5);
      Bin.gauge[I] = {1, Whole, Whole};
      return true;
    }
  return false;
}

void HistoryDescription::readSteps(std::istringstream &Parts, uint32_t Lane,
                                   const loopscope_history_bin &Bin,
                                   const DescriptionContext &C) {
  std::string Part;
  if (!std::getline(Parts, Part, '/'))
    return;
  loopscope_history_steps Next{};
  Next.begin_ticks = Bin.begin_ticks;
  Next.end_ticks = Bin.end_ticks;
  Next.lane = static_cast<uint8_t>(Lane);
  Next.steps = static_cast<uint32_t>(C.Number(Part));
  if (std::getline(Parts, Part, '/'))
    Next.samples = C.Number(Part);
  if (std::getline(Parts, Part, '/')) {
    unsigned Bucket = loopscope::bucketOf(C.Duration(Part));
    Next.longest = static_cast<uint16_t>(Bucket + 1);
    Next.lowest_pair = loopscope::history::lowestPair(Bucket);
    Next.bucket[loopscope::history::pairOf(Bucket, Next.lowest_pair)] =
        Next.steps;
  }
  Steps.push_back(Next);
}

bool HistoryDescription::read(
    const std::string &Word, std::istringstream &Words,
    const DescriptionContext &C,
    const std::vector<loopscope_profile_node> &Nodes) {
  if (Word != "bin")
    return false;
  std::string End, Each;
  Words >> End;
  loopscope_history_bin Bin{};
  Bin.begin_ticks = Bins.empty() ? C.StartTicks : Bins.back().end_ticks;
  Bin.end_ticks = C.StartTicks + C.Duration(End);
  while (Words >> Each) {
    size_t Equals = Each.find('=');
    if (Equals == std::string::npos)
      C.Die("stray word " + Each);
    std::string Key = Each.substr(0, Equals);
    std::istringstream Parts(Each.substr(Equals + 1));
    if (readGauge(Key, Parts.str(), Bin))
      continue;
    uint32_t Lane = laneOf(C.Node(Key), C, Nodes);
    std::string Time;
    std::getline(Parts, Time, '/');
    Bin.ticks[Lane] += C.Duration(Time);
    readSteps(Parts, Lane, Bin, C);
  }
  Bins.push_back(Bin);
  return true;
}

void HistoryDescription::write(const AppendChunk &Append) const {
  if (Bins.empty())
    return;
  Append(LOOPSCOPE_CHUNK_HISTORY_LANES, Lanes.data(), Lanes.size(),
         sizeof(Lanes[0]));
  Append(LOOPSCOPE_CHUNK_HISTORY, Bins.data(), Bins.size(), sizeof(Bins[0]));
  Append(LOOPSCOPE_CHUNK_HISTORY_STEPS, Steps.data(), Steps.size(),
         sizeof(Steps[0]));
}
