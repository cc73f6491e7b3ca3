// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of nodes and their times at the last visit.

#include "phase_times.h"

#include "tree/node_kinds.h"

#include <string.h>

using namespace loopscope::runtime;

uint64_t loopscope::runtime::timeOf(Node *N, uint64_t Now) {
  uint64_t Ticks = N->sum_ticks + N->uncounted_ticks;
  if (isStepDraw(N)) {
    // The draw time of an open step is recorded when the step ends.
    Node *Step = links(N).Parent;
    Node *Batch = links(N).Successor;
    if (Step->open == 0)
      return Ticks;
    return Ticks + (Batch->open != 0 ? Batch->enter_ticks : Now) -
           Step->enter_ticks;
  }
  return N->open == 0 ? Ticks : Ticks + (Now - N->enter_ticks);
}

bool PhaseTimes::knows(const Node *Top) const {
  const Seen *Place =
      probe(Nodes, Places, hashOf(Top), [Top](const Seen &Each) {
        return Each.Of == nullptr || Each.Of == Top;
      });
  return Place->Of == Top;
}

void PhaseTimes::forget() {
  memset(Nodes, 0, sizeof(Nodes));
  Known = 0;
}

PhaseTimes::Seen *PhaseTimes::placeOf(const Node *N) {
  Seen *Place = probe(Nodes, Places, hashOf(N), [N](const Seen &Each) {
    return Each.Of == nullptr || Each.Of == N;
  });
  if (Place->Of == nullptr) {
    if (Known == Places / 2)
      return nullptr;
    ++Known;
    Place->Of = N;
  }
  return Place;
}
