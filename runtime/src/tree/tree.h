// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's call-path tree and the hot path over it. Only one thread writes a
// tree.
//
// The next child is predicted: `Cursor` is the child expected next. Leaving a
// child advances its parent's cursor to the child's successor, and resets the
// child's own cursor to its first child. The links (node_links.h) are such that
// none of this needs a branch.
//
// No store in this file has an address that depends on a fresh clock reading;
// therefore a duration enters the histogram one span late.

#ifndef LOOPSCOPE_TREE_TREE_H
#define LOOPSCOPE_TREE_TREE_H

#include "base/stack_mark.h"
#include "profile/chunks.h"
#include "profile/counts.h"
#include "profile/node_links.h"

#include <stddef.h>

namespace loopscope::runtime {

/// Durations with more bits have no bucket: they would last decades, so the
/// clock is wrong.
constexpr unsigned LongestDurationBits = 62;

/// The histogram bucket of a duration; see loopscope_histogram. With s the
/// number of bits below the leading four, that is 8 s + (Ticks >> s), and for
/// short durations s is 0.
inline uint64_t bucketOf(uint64_t Ticks) {
  unsigned Shift =
      (63U ^ static_cast<unsigned>(__builtin_clzll(Ticks | 8))) - 3;
  return Shift * 8 + (Ticks >> Shift);
}

/// Stores the sequence and its neighbour open = 0 together.
inline void setSequenceAndClose(Node *N, uint32_t Sequence) {
  static_assert(offsetof(Node, open) == offsetof(Node, sequence) + 4 &&
                offsetof(Node, sequence) % 8 == 0);
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  struct __attribute__((may_alias)) Both {
    uint64_t Word;
  };
  reinterpret_cast<Both *>(&N->sequence)->Word = Sequence;
}

/// Whether a duration may be the longest so far; if not, the check is skipped.
enum class Longest { No, Perhaps };

/// The bucket of N's last duration, which hasn't been counted yet. Computed
/// before the clock is read, so that the processor fetches it meanwhile.
inline uint64_t *lastBucket(Node *N) {
  return &links(N).Histogram->bucket[bucketOf(N->last_ticks)];
}

/// Adds a finished span of DURATION ticks to the node's statistics and closes
/// it. BUCKET: lastBucket(N).
template <Longest IsLongest>
inline __attribute__((always_inline)) void record(Node *N, uint64_t Duration,
                                                  uint64_t *Bucket) {
  uint32_t Sequence = N->sequence;
  N->sequence = Sequence + 1;
  orderStores();
  // Counts the previous duration. Initially there is none, and bucket 0 goes
  // from -1 to 0.
  ++*Bucket;
  N->last_ticks = Duration;
  __extension__ using Wide = unsigned __int128;
  Wide Squares = (static_cast<Wide>(N->square_high) << 64 | N->square_low) +
                 static_cast<Wide>(Duration) * Duration;
  N->square_low = static_cast<uint64_t>(Squares);
  N->square_high = static_cast<uint64_t>(Squares >> 64);
  N->sum_ticks += Duration;
  ++N->count;
  if (__builtin_expect(Duration < N->min_ticks, false))
    N->min_ticks = Duration;
  if constexpr (IsLongest == Longest::Perhaps)
    if (__builtin_expect(Duration > N->max_ticks, false))
      N->max_ticks = Duration;
  orderStores();
  // From a register, even though saving it costs a store: rereading the word
  // would wait for its store.
  setSequenceAndClose(N, Sequence + 2);
}

/// If a jump left record() in the middle, closes N and counts that the span is
/// only partly in its statistics. Returns whether that was so.
bool giveUpRecord(Node *N);

inline void record(Node *N, uint64_t Duration) {
  record<Longest::Perhaps>(N, Duration, lastBucket(N));
}

/// Whether a duration is impossible: the clock ran backwards.
inline bool isWrong(uint64_t Duration) {
  return __builtin_expect(Duration >> LongestDurationBits != 0, false);
}

/// Ticks from START to NOW; 0, and counted, if the clock ran backwards.
inline uint64_t elapsed(uint64_t Start, uint64_t Now) {
  uint64_t Duration = Now - Start;
  if (isWrong(Duration)) {
    countClockWentBack();
    return 0;
  }
  return Duration;
}

/// Makes N the innermost open span from START, the thread's last clock reading.
/// Current is set first: a signal handler's spans then become children of N and
/// leave its start alone. MARK: where the span's guard is (stack_mark.h).
template <typename Mark>
inline void openNodeFrom(ThreadLinks &L, Node *N, uint64_t Start, Mark Of) {
  L.Current = N;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  N->enter_ticks = Start;
  orderStores();
  Of.storeTo(N->open);
}

/// The same from NOW, which becomes the thread's last reading.
template <typename Mark>
inline void openNode(ThreadLinks &L, Node *N, uint64_t Now, Mark Of) {
  openNodeFrom(L, N, Now, Of);
  L.Owner->last_ticks = Now;
}

/// Ends the innermost open span N after DURATION ticks, at NOW. BUCKET:
/// lastBucket(N).
template <Longest IsLongest>
inline __attribute__((always_inline)) void
closeNode(ThreadLinks &Of, Node *N, uint64_t Duration, uint64_t Now,
          uint64_t *Bucket) {
  Of.Owner->last_ticks = Now;
  record<IsLongest>(N, Duration, Bucket);
  NodeLinks &L = links(N);
  Node *Parent = L.Parent;
  links(Parent).Cursor = L.Successor;
  L.Cursor = L.FirstChild;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  Of.Current = Parent;
}

/// The child of the innermost open node that is expected next. It belongs to
/// SITE only if its Site says so.
inline Node *expectedChild(const ThreadLinks &L) {
  return links(L.Current).Cursor;
}
inline Node *expectedChild(Thread *T) { return expectedChild(links(T)); }

/// The child of the innermost open node for SITE if it was visited recently and
/// has no slow bit, else null. Fast.
Node *recallChild(ThreadLinks &L, const loopscope_site *Site);
/// The same for a child with a slow bit.
Node *recallMeasured(Thread *T, const loopscope_site *Site);

/// Whether the innermost open node had no room for SITE's child recently: then
/// a span is lost, which this counts. Fast, signal safe.
bool isLost(Thread *T, const loopscope_site *Site);

/// The child of the innermost open node for SITE, made at the first visit. Null
/// if out of memory or if the tree is at a limit (counted).
Node *findChild(Thread *T, const loopscope_site *Site);

/// Notes that PARENT had no room for SITE's child; see isLost().
void rememberLost(Thread *T, const Node *Parent, const loopscope_site *Site);

/// A node that nobody sees yet; null if out of memory (counted).
Node *takeNode(Thread *T);
/// Makes N, from takeNode(), the last child of PARENT.
void publishNode(Thread *T, Node *N, Node *Parent, uint32_t SiteIndex,
                 uint16_t Kind, uint16_t Flags, const loopscope_site *Site);
/// Both: a new node as the last child of PARENT; null if out of memory
/// (counted).
Node *makeNode(Thread *T, Node *Parent, uint32_t SiteIndex, uint16_t Kind,
               uint16_t Flags, const loopscope_site *Site);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_TREE_H
