// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hooks of spans with a key (tree/keys.h). They work like a phase's, but the
// expected child must also have the key; see hook_tiers.h.

#pragma GCC visibility push(default)
#include "base/clock.h"
#include "base/stack_mark.h"
#include "base/thread_memory.h"
#include "hooks_cold.h"
#include "profile/node_links.h"
#include "tree/hook_tokens.h"
#include "tree/key_table.h"
#include "tree/keys.h"
#include "tree/node_kinds.h"
#include "tree/own_tree.h"
#include "tree/spans.h"
#include "tree/tree.h"

#include <loopscope/loopscope.h>
#pragma GCC visibility pop

using namespace loopscope::runtime;

#define SAME_TYPE(NAME)                                                        \
  static_assert(+LOOPSCOPE_KEY_##NAME == __LOOPSCOPE_KEY_##NAME)
SAME_TYPE(SIGNED);
SAME_TYPE(UNSIGNED);
SAME_TYPE(BOOL);
SAME_TYPE(CHAR);
SAME_TYPE(TEXT);

namespace {
// Opens the span of K below the innermost open node, however it is found.
inline __attribute__((always_inline)) loopscope_token
enterKnown(const KeyedSite *Site, const Key &K, bool Adjacent, KnownMark Of) {
  const loopscope_site *Plain = &Site->__site;
  Thread *T = ownTree();
  if (T == nullptr)
    return enterFirst(Plain, Adjacent, Of, &K);
  if (ThisThread.Fast == &NoLinks && isMuted(T))
    return nullptr;
  Node *N = expectedChild(T);
  bool IsExpected = siteOf(N) == Plain && keyTypeOf(N) == K.Type &&
                    (K.Type == LOOPSCOPE_KEY_TEXT ? hasText(N, K.Text, K.Length)
                                                  : keyOf(N) == K.Value);
  if (!IsExpected)
    N = recallKeyed(T, Plain, K);
  if (N == nullptr)
    return enterFirst(Plain, Adjacent, Of, &K);
  uint64_t Now = Adjacent ? T->last_ticks : now();
  if (slowBitsOf(N) == 0) {
    openSpan(T, N, Now, Of);
    return N;
  }
  beginSpan(T, N, Now, Of);
  return tokenOf(N);
}

// The innermost open node's child with this key, if it is exact and has no slow
// bit.
inline Node *recallNumber(const ThreadLinks &L, const loopscope_site *Site,
                          uint64_t Value, unsigned Type) {
  KeyTable *Table = L.Keys;
  if (Table == nullptr)
    return nullptr;
  const KeyEntry &Exact = placeOf(*Table, {L.Current, addressOf(Site), Value});
  if (Exact.Parent == nullptr)
    return nullptr;
  Node *N = Exact.N;
  return links(N).Site == Site && links(N).Parent == L.Current &&
                 keyTypeOf(N) == Type
             ? N
             : nullptr;
}

// Every enter that can't take the fast path, in two functions: the first has no
// frame. Arguments in registers: a hook with a frame of its own would have
// another mark.
__attribute__((noinline)) loopscope_token
enterNumberSlowly(const KeyedSite *Site, uint64_t Value, unsigned Type,
                  bool Adjacent, KnownMark Of) {
  return enterKnown(Site, {Type, Value, "", 0}, Adjacent, Of);
}

// Another child than the expected one, or no fast path.
__attribute__((noinline)) loopscope_token enterNumberElse(const KeyedSite *Site,
                                                          uint64_t Value,
                                                          unsigned Type,
                                                          bool Adjacent,
                                                          KnownMark Of) {
  ThreadLinks &L = *ThisThread.Fast;
  Node *N = L.Current == nullptr ? nullptr
                                 : recallNumber(L, &Site->__site, Value, Type);
  if (__builtin_expect(N == nullptr, false))
    return enterNumberSlowly(Site, Value, Type, Adjacent, Of);
  N->writer_place = Of.Place;
  openNode(L, N, Adjacent ? L.Owner->last_ticks : readCounter(), Of);
  return N;
}

__attribute__((noinline)) loopscope_token enterTextSlowly(const KeyedSite *Site,
                                                          const char *Text,
                                                          size_t Length,
                                                          bool Adjacent,
                                                          KnownMark Of) {
  return enterKnown(Site, {LOOPSCOPE_KEY_TEXT, 0, Text, Length}, Adjacent, Of);
}

// The expected child with a longer text, another one, or no fast path.
__attribute__((noinline)) loopscope_token enterTextElse(const KeyedSite *Site,
                                                        const char *Text,
                                                        size_t Length,
                                                        bool Adjacent,
                                                        KnownMark Of) {
  if (__builtin_expect(Text == nullptr, false))
    Text = Length == UntilNul ? "(null)" : ""; // or that of an empty object
  ThreadLinks &L = *ThisThread.Fast;
  if (__builtin_expect(L.Current == nullptr, false))
    return enterTextSlowly(Site, Text, Length, Adjacent, Of);
  Node *N = expectedChild(L);
  if (__builtin_expect(links(N).Site != &Site->__site, false) ||
      __builtin_expect(keyTypeOf(N) != LOOPSCOPE_KEY_TEXT, false) ||
      !hasText(N, Text, Length))
    return enterTextSlowly(Site, Text, Length, Adjacent, Of);
  openNode(L, N, Adjacent ? L.Owner->last_ticks : readCounter(), Of);
  return N;
}

// Opens the expected child, which has the key.
template <bool Adjacent, typename Mark>
inline __attribute__((always_inline)) loopscope_token open(ThreadLinks &L,
                                                           Node *N, Mark Of) {
  if constexpr (Adjacent)
    openNodeFrom(L, N, L.Owner->last_ticks, Of);
  else
    openNode(L, N, readCounter(), Of);
  return N;
}

template <typename By, bool Adjacent>
inline __attribute__((always_inline)) loopscope_token
enterKey(const KeyedSite *Site, uint64_t Value, unsigned Type) {
  ThreadLinks &L = *ThisThread.Fast;
  if (__builtin_expect(L.Current == nullptr, false))
    return enterNumberElse(Site, Value, Type, Adjacent, By::known());
  Node *N = expectedChild(L);
  if (__builtin_expect(links(N).Site != &Site->__site, false) ||
      __builtin_expect(keyOf(N) != Value, false))
    return enterNumberElse(Site, Value, Type, Adjacent, By::known());
  return open<Adjacent>(L, N, By::Quick);
}

template <typename By, bool Adjacent>
inline __attribute__((always_inline)) loopscope_token
enterText(const KeyedSite *Site, const char *Text, size_t Length) {
  ThreadLinks &L = *ThisThread.Fast;
  if (__builtin_expect(L.Current == nullptr, false))
    return enterTextElse(Site, Text, Length, Adjacent, By::known());
  Node *N = expectedChild(L);
  if (__builtin_expect(links(N).Site != &Site->__site, false) ||
      __builtin_expect(keyTypeOf(N) != LOOPSCOPE_KEY_TEXT, false) ||
      __builtin_expect(Text == nullptr, false))
    return enterTextElse(Site, Text, Length, Adjacent, By::known());
  // Only short texts here, because then the hook needs no frame.
  if (Length == UntilNul) {
    if (!isShortText(textOf(N), Text))
      return enterTextElse(Site, Text, UntilNul, Adjacent, By::known());
  } else if (!isShortText(textOf(N), Text, Length)) {
    return enterTextElse(Site, Text, Length, Adjacent, By::known());
  }
  return open<Adjacent>(L, N, By::known());
}
} // namespace

loopscope_token
loopscope::runtime::enterKeyedOfOther(const loopscope_keyed_site *Site,
                                      const Key &K, bool Adjacent) noexcept {
  return enterKnown(Site, K, Adjacent, NoPlace);
}

loopscope_token __loopscope_enter_key(const KeyedSite *Site, uint64_t Value,
                                      unsigned Type) noexcept {
  return enterKey<ByGuard, false>(Site, Value, Type);
}

loopscope_token __loopscope_enter_key_adjacent(const KeyedSite *Site,
                                               uint64_t Value,
                                               unsigned Type) noexcept {
  return enterKey<ByGuard, true>(Site, Value, Type);
}

loopscope_token __loopscope_enter_text(const KeyedSite *Site, const char *Text,
                                       size_t Length) noexcept {
  return enterText<ByGuard, false>(Site, Text, Length);
}

loopscope_token __loopscope_enter_text_adjacent(const KeyedSite *Site,
                                                const char *Text,
                                                size_t Length) noexcept {
  return enterText<ByGuard, true>(Site, Text, Length);
}

__attribute__((weak)) loopscope_token
loopscope_enter_key(const loopscope_keyed_site *Site, int64_t Value) noexcept {
  return enterKey<ByHand, false>(Site, static_cast<uint64_t>(Value),
                                 LOOPSCOPE_KEY_SIGNED);
}

__attribute__((weak)) loopscope_token loopscope_enter_text(
    const loopscope_keyed_site *Site, const char *Text) noexcept {
  return enterText<ByHand, false>(Site, Text, UntilNul);
}
