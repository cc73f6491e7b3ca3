// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree's table of keyed nodes, by parent, site and key (keys.h). It is exact:
// what it doesn't hold wasn't visited under this descriptor.

#ifndef LOOPSCOPE_TREE_KEY_TABLE_H
#define LOOPSCOPE_TREE_KEY_TABLE_H

#include "base/probe.h"
#include "base/thread_links.h"

#include <loopscope/loopscope.h>

#include <stdint.h>

namespace loopscope::runtime {

/// A node under one of its descriptors. Those of a range have RangeBit in Site.
struct KeyEntry {
  const Node *Parent; ///< null: free
  uintptr_t Site;
  uint64_t Value; ///< the number, the text's hash, or the range
  Node *N;
};
constexpr uintptr_t RangeBit = 1;

/// A signal handler's hook may make a larger one while a hook reads this: old
/// tables stay readable.
struct KeyTable {
  uint64_t Size; ///< a power of two
  uint64_t Used;
  uint64_t Nodes; ///< exact keyed nodes of the tree
  uint64_t Unused;

  /// Size of them; they follow this.
  KeyEntry *all() { return reinterpret_cast<KeyEntry *>(this + 1); }
};

/// What is looked up.
struct WantedKey {
  const Node *Parent;
  uintptr_t Site;
  uint64_t Value;
};

inline uint64_t hashOf(const WantedKey &Of) {
  constexpr uint64_t Factor = 0x9e3779b97f4a7c15U;
  uint64_t Hash = (reinterpret_cast<uint64_t>(Of.Parent) >> 8) + Of.Site;
  Hash = (Hash ^ Hash << 21 ^ Of.Value) * Factor;
  return Hash ^ Hash >> 32;
}

/// The entry, or the free one where it would be.
inline __attribute__((always_inline)) KeyEntry &placeOf(KeyTable &Table,
                                                        const WantedKey &Of) {
  return *probe(Table.all(), Table.Size, hashOf(Of), [&](const KeyEntry &Each) {
    return Each.Parent == nullptr ||
           (Each.Parent == Of.Parent && Each.Site == Of.Site &&
            Each.Value == Of.Value);
  });
}

inline uintptr_t addressOf(const loopscope_site *Site) {
  return reinterpret_cast<uintptr_t>(Site);
}

/// The tree's table with a free entry; null if out of memory, or at its largest
/// size. Call on a slow path.
KeyTable *tableWithRoom(ThreadLinks &L);

/// Makes N the node for OF. False: no room. Call on a slow path.
bool rememberKey(ThreadLinks &L, const WantedKey &Of, Node *N);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_KEY_TABLE_H
