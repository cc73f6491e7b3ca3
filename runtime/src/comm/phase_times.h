// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much own time a thread's phases had since the last visit. Waits and
// collectives, with everything below them, have none.
//
// A node's time so far is the time in its sums plus its open span. Each visit
// compares it with the time at the previous visit; a node's own time is the
// difference minus its children's. Time in functions and operators belongs to
// the phase around them.

#ifndef LOOPSCOPE_COMM_PHASE_TIMES_H
#define LOOPSCOPE_COMM_PHASE_TIMES_H

#include "base/probe.h"
#include "profile/node_links.h"
#include "tree/tree.h"

namespace loopscope::runtime {

inline bool isWait(const Node *N) {
  return N->kind == LOOPSCOPE_KIND_COLLECTIVE || N->kind == LOOPSCOPE_KIND_WAIT;
}

/// The time of N up to NOW, open spans included.
uint64_t timeOf(Node *N, uint64_t Now);

/// One thread's. Zeroed memory is a valid start.
class PhaseTimes {
public:
  /// Whether the next visit of TOP finds its time at the last one. Otherwise
  /// it finds all time since the tree's beginning, perhaps another thread's.
  bool knows(const Node *Top) const;

  /// Visits TOP and everything below it: calls PHASE(N, TICKS) for each phase
  /// with own time, and WAIT(N, TICKS) for each outermost wait or collective.
  /// Visits MOST nodes, to a depth of 24; deeper nodes count as part of those
  /// that contain them. False if there are more: then some calls are missing,
  /// and the next visit starts anew.
  template <typename PhaseFunction, typename WaitFunction>
  bool visit(Node *Top, uint64_t Now, uint32_t Most, PhaseFunction Phase,
             WaitFunction Wait) {
    Left = Most;
    int64_t Unused = 0;
    if (visitBelow(Top, Now, 0, Unused, Phase, Wait))
      return true;
    forget();
    return false;
  }

private:
  static constexpr uint32_t MostDepth = 24;
  static constexpr uint32_t PlaceBits = 11;
  static constexpr uint32_t Places = 1U << PlaceBits;

  // A node's time at its last visit.
  struct Seen {
    const Node *Of;
    uint64_t Ticks;
  };

  void forget();
  static uint32_t hashOf(const Node *N) {
    return (N->index * 0x9e3779b9U) >> (32 - PlaceBits);
  }
  // The entry of N, perhaps a new one; null if there is no room.
  Seen *placeOf(const Node *N);

  // OWN: the own time of the phase that contains N, minus N's time since the
  // last visit.
  template <typename PhaseFunction, typename WaitFunction>
  bool visitBelow(Node *N, uint64_t Now, uint32_t Depth, int64_t &Own,
                  PhaseFunction Phase, WaitFunction Wait) {
    Seen *Place = Left == 0 ? nullptr : placeOf(N);
    if (Place == nullptr)
      return false;
    --Left;
    uint64_t Ticks = timeOf(N, Now);
    auto Spent = static_cast<int64_t>(Ticks - Place->Ticks);
    Place->Ticks = Ticks;
    if (isWait(N)) {
      Own -= Spent;
      Wait(N, static_cast<uint64_t>(Spent));
      return true;
    }
    bool IsPart = N->kind == LOOPSCOPE_KIND_FUNCTION ||
                  N->kind == LOOPSCOPE_KIND_OPERATOR;
    int64_t Self = Spent;
    if (!IsPart)
      Own -= Spent;
    bool Fits = true;
    if (Depth != MostDepth)
      findAmong(N, [&](Node *Child) {
        Fits =
            visitBelow(Child, Now, Depth + 1, IsPart ? Own : Self, Phase, Wait);
        return !Fits;
      });
    if (!IsPart && Self > 0)
      Phase(N, static_cast<uint64_t>(Self));
    return Fits;
  }

  uint32_t Known; // used part of Nodes
  uint32_t Left;  // nodes that may still be visited
  Seen Nodes[Places];
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_COMM_PHASE_TIMES_H
