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

#include "profile/node_links.h"

#include <loopscope/loopscope.h>

#include <stddef.h>

namespace loopscope::runtime {

using KeyedSite = loopscope_keyed_site;

/// The length of a text that ends with a NUL.
constexpr size_t UntilNul = SIZE_MAX;

/// What a hook says.
struct Key {
  uint32_t Type;    ///< a loopscope_key_type
  uint64_t Value;   ///< of a number
  const char *Text; ///< of a text; never null
  size_t Length;    ///< of Text, or UntilNul
};

/// A text that some node has as its key, or a label. Lives as long as the
/// process.
struct KeyText {
  uint64_t Hash; ///< equal hashes count as equality
  loopscope_profile_string Stored;
  size_t Length;
  bool HasNul; ///< among its bytes

  /// Length bytes, without a NUL; they follow this.
  const char *bytes() const { return reinterpret_cast<const char *>(this + 1); }
};

/// A number; the address of a KeyText; of a range, the number that came last.
inline uint64_t &keyOf(Node *N) { return links(N).Phase.Extra; }

/// In the node's flags, which never change in these bits.
inline uint32_t keyTypeOf(const Node *N) {
  return N->flags >> LOOPSCOPE_NODE_KEY_SHIFT;
}

template <typename Word> inline bool differ(const char *A, const char *B) {
  Word Of[2];
  __builtin_memcpy(&Of[0], A, sizeof(Word));
  __builtin_memcpy(&Of[1], B, sizeof(Word));
  return Of[0] != Of[1];
}

/// By words, the last of which may overlap the one before.
inline bool areEqual(const char *A, const char *B, size_t Length) {
  if (Length >= 8) {
    for (size_t At = 0; At + 8 < Length; At += 8)
      if (differ<uint64_t>(A + At, B + At))
        return false;
    return !differ<uint64_t>(A + Length - 8, B + Length - 8);
  }
  if (Length >= 4)
    return !differ<uint32_t>(A, B) &&
           !differ<uint32_t>(A + Length - 4, B + Length - 4);
  for (size_t At = 0; At < Length; ++At)
    if (A[At] != B[At])
      return false;
  return true;
}

/// Whether N, which has a text as its key, has this one. Reads no byte behind
/// the text.
inline bool hasText(Node *N, const char *Text, size_t Length) {
  const KeyText &Known = *reinterpret_cast<const KeyText *>(keyOf(N));
  const char *Bytes = Known.bytes();
  if (Length != UntilNul)
    return Length == Known.Length && areEqual(Text, Bytes, Length);
  // Equal bytes are no NUL, so this reads none behind it.
  if (Known.HasNul)
    return false;
  for (size_t At = 0; At < Known.Length; ++At)
    if (Text[At] != Bytes[At])
      return false;
  return Text[Known.Length] == 0;
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
