// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns spans into events.

#include "TimelineDescription.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

namespace {
struct Event {
  uint64_t Ticks;
  loopscope_event_type Type;
  uint32_t Node;
};

uint64_t word(const Event &E, uint64_t Value) {
  return Value << (LOOPSCOPE_EVENT_NODE_BITS + LOOPSCOPE_EVENT_TYPE_BITS) |
         static_cast<uint64_t>(E.Type) << LOOPSCOPE_EVENT_NODE_BITS | E.Node;
}
} // namespace

void TimelineDescription::add(uint32_t Node, const std::string &List,
                              const DescriptionContext &C) {
  std::istringstream Items(List);
  for (std::string Item; std::getline(Items, Item, ',');) {
    size_t Plus = Item.find('+');
    uint64_t Start = C.StartTicks + C.Duration(Item.substr(0, Plus));
    uint64_t End = Plus == std::string::npos
                       ? 0
                       : Start + C.Duration(Item.substr(Plus + 1));
    if (End == Start)
      C.Die("a span of the timeline has a duration");
    Spans.push_back({Node, Start, End});
  }
}

std::vector<loopscope_event_block>
TimelineDescription::blocks(const std::vector<loopscope_profile_node> &Nodes,
                            size_t Threads) const {
  std::vector<loopscope_event_block> Blocks;
  for (uint32_t Thread = 0; Thread < Threads; ++Thread) {
    std::vector<Event> Events;
    for (const Span &S : Spans) {
      if (Nodes[S.Node].thread != Thread)
        continue;
      Events.push_back({S.Start, LOOPSCOPE_EVENT_BEGIN, S.Node});
      if (S.End != 0)
        Events.push_back({S.End, LOOPSCOPE_EVENT_END, S.Node});
    }
    // At one moment, ends come before begins; ends from the inside out, begins
    // from the outside in.
    auto Rank = [&](const Event &E) {
      int Depth = static_cast<int>(Nodes[E.Node].depth);
      return std::pair(E.Ticks, E.Type == LOOPSCOPE_EVENT_END ? -Depth : Depth);
    };
    std::sort(
        Events.begin(), Events.end(),
        [&](const Event &A, const Event &B) { return Rank(A) < Rank(B); });
    std::map<uint32_t, uint64_t> StepsOf; // by loop
    size_t Used = LOOPSCOPE_EVENT_BLOCK_EVENTS;
    // When a block is full, the next one begins.
    auto Add = [&](uint64_t Ticks, uint64_t Word, bool IsTime) {
      if (Used == LOOPSCOPE_EVENT_BLOCK_EVENTS) {
        Blocks.emplace_back();
        Blocks.back().base_ticks = Ticks;
        Blocks.back().thread = Thread;
        Used = 0;
      }
      uint64_t Value = IsTime ? Ticks - Blocks.back().base_ticks : 0;
      Blocks.back().event[Used++] = Word | Value << (LOOPSCOPE_EVENT_NODE_BITS +
                                                     LOOPSCOPE_EVENT_TYPE_BITS);
    };
    for (const Event &E : Events) {
      Add(E.Ticks, word(E, 0), true);
      if (E.Type == LOOPSCOPE_EVENT_BEGIN &&
          Nodes[E.Node].kind == LOOPSCOPE_KIND_STEP)
        Add(E.Ticks,
            word({0, LOOPSCOPE_EVENT_NUMBER, E.Node},
                 StepsOf[Nodes[E.Node].parent]++),
            false);
    }
  }
  std::stable_sort(
      Blocks.begin(), Blocks.end(),
      [](const auto &A, const auto &B) { return A.base_ticks < B.base_ticks; });
  for (size_t I = 0; I < Blocks.size(); ++I)
    Blocks[I].sequence = I + 1;
  return Blocks;
}
