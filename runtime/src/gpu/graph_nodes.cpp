// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of graph nodes.

#include "graph_nodes.h"

#include "base/memory.h"

#include <loopscope/profile_format.h>

using namespace loopscope::runtime;

bool GraphNodes::create() {
  Table = static_cast<Entry *>(reserveMemory(sizeof(Entry) * Ways * Sets));
  return Table != nullptr;
}

GraphNodes::Entry *GraphNodes::setOf(uint64_t Id) const {
  return Table + (Id * 0x9e3779b97f4a7c15U >> 50) % Sets * Ways;
}

void GraphNodes::note(uint64_t Id, Made How) {
  if (Id == 0)
    return;
  pthread_mutex_lock(&Mutex);
  Entry *Set = setOf(Id);
  Entry *Place = Set;
  for (Entry *E = Set; E < Set + Ways; ++E) {
    if (E->Id == Id || E->Id == 0) {
      Place = E;
      break;
    }
    if (E->Age < Place->Age)
      Place = E;
  }
  // No store may be moved before the one that invalidates the entry.
  __atomic_store_n(&Place->Id, uint64_t(0), __ATOMIC_RELAXED);
  __atomic_store_n(&Place->How.Node, How.Node, __ATOMIC_RELEASE);
  __atomic_store_n(&Place->How.Name, How.Name, __ATOMIC_RELEASE);
  __atomic_store_n(&Place->Id, Id, __ATOMIC_RELEASE);
  Place->Age = ++Noted;
  pthread_mutex_unlock(&Mutex);
}

GraphNodes::Made GraphNodes::find(uint64_t Id) const {
  const Entry *Set = setOf(Id);
  for (const Entry *E = Set; E < Set + Ways; ++E)
    if (__atomic_load_n(&E->Id, __ATOMIC_ACQUIRE) == Id) {
      Made How = {__atomic_load_n(&E->How.Node, __ATOMIC_ACQUIRE),
                  __atomic_load_n(&E->How.Name, __ATOMIC_ACQUIRE)};
      if (__atomic_load_n(&E->Id, __ATOMIC_RELAXED) == Id)
        return How;
    }
  return {LOOPSCOPE_NONE, 0};
}
