// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spans with a key: a child for each (site, key) of a call path, so that the
// layers of one loop are told apart.
//
// The number of exact keys of a call path is limited. Beyond it, numbers share
// a child with the others of their range, a power of two, and texts share one.
// For one parent a key is exact or not for ever, because a family that is full
// never gets room again.
//
// Prediction works as for other spans (tree.h), with one comparison more. All
// other lookups go through a table of the tree (recallKeyed), which
// is exact: a family's range is in it only after all of its exact keys.

#ifndef LOOPSCOPE_TREE_KEYS_H
#define LOOPSCOPE_TREE_KEYS_H

#include "key_text.h"
#include "profile/node_links.h"

#include <loopscope/loopscope.h>

#include <stddef.h>

namespace loopscope::runtime {

using KeyedSite = loopscope_keyed_site;

/// What a hook says.
struct Key {
  uint32_t Type;    ///< a loopscope_key_type
  uint64_t Value;   ///< of a number
  const char *Text; ///< of a text; never null
  size_t Length;    ///< of Text, or UntilNul
};

/// A number; the address of a KeyText; of a range, the number that came last.
inline uint64_t &keyOf(Node *N) { return links(N).Phase.Extra; }

/// In the node's flags, which never change in these bits.
inline uint32_t keyTypeOf(const Node *N) {
  return N->flags >> LOOPSCOPE_NODE_KEY_SHIFT;
}

inline const KeyText &textOf(Node *N) {
  return *reinterpret_cast<const KeyText *>(keyOf(N));
}

/// Whether N, which has a text as its key, has this one.
inline bool hasText(Node *N, const char *Text, size_t Length) {
  return isText(textOf(N), Text, Length);
}

/// The innermost open node's child for SITE and K, if it was visited before
/// under this descriptor. Fast, takes no lock.
Node *recallKeyed(Thread *T, const loopscope_site *Site, const Key &K);

/// The same, made at the first visit. Null if out of memory or if the tree is
/// at a limit (counted). Call on a slow path.
Node *findKeyed(Thread *T, const KeyedSite *Site, const Key &K);

/// The most exact keys of a call path; before the first hook.
void setMostKeys(uint32_t Most);

/// For a forked child: forgets all texts.
void resetKeys();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_KEYS_H
