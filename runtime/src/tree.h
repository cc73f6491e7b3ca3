// A thread's call-path tree and the hot path over it.
//
// Nodes and threads are the profile's own records (loopscope/profile_format.h);
// what only the running process needs lies in their writer_private words, seen
// here as NodeLinks and ThreadLinks. A tree is written by one thread only.
//
// The next child is predicted: `Cursor` is the child expected next. Leaving a
// child moves its parent's cursor on to the child's successor, and resets the
// child's own cursor to its first child. No store in this file has an address
// that depends on a fresh clock reading; that is why a duration reaches the
// histogram one span late.
#pragma once

#include "clock.h"

#include <loopscope/loopscope.h>

#include <stddef.h>

namespace loopscope::runtime {

using Node = loopscope_profile_node;
using Thread = loopscope_profile_thread;

/// The running process's part of a node.
struct __attribute__((may_alias)) NodeLinks {
  Node *Parent;
  Node *FirstChild;
  Node *NextSibling;
  Node *Cursor;
  const loopscope_site *Site; ///< null for roots, STEP, DRAW and BATCH
  loopscope_histogram *Histogram;
  uint64_t StepMark; ///< below a BATCH: sum_ticks when the last step ended
  /// TRAIN, VALID: steps so far (of this execution with warm-up per epoch).
  /// BATCH: samples of the open step, NoSamples before they are given.
  /// DRAW of a step: the node that an explicit draw interrupted, else null.
  uint64_t Special;
};
static_assert(sizeof(NodeLinks) == sizeof(Node::writer_private));

/// Of a BATCH: no samples in this step; and none in any step so far.
constexpr uint64_t NoSamples = UINT64_MAX;

/// The running process's part of a thread.
struct __attribute__((may_alias)) ThreadLinks {
  Node *Current;        ///< innermost open node
  uint64_t CalibrateAt; ///< ticks from which the clock wants calibration
  Node *Reserve;        ///< unused nodes of this tree, next to each other
  uint64_t ReserveCount;
  loopscope_histogram *ReserveHistograms;
  uint64_t ReserveIndex;
  Thread *NextFree;
  uint64_t Unused[3];
};
static_assert(sizeof(ThreadLinks) == sizeof(Thread::writer_private));

inline NodeLinks &links(Node *N) {
  return *reinterpret_cast<NodeLinks *>(N->writer_private);
}
inline ThreadLinks &links(Thread *T) {
  return *reinterpret_cast<ThreadLinks *>(T->writer_private);
}

/// The histogram bucket of a duration; see loopscope_histogram.
inline unsigned bucketOf(uint64_t Ticks) {
  if (Ticks < 8)
    return static_cast<unsigned>(Ticks);
  unsigned Exponent = 63U - static_cast<unsigned>(__builtin_clzll(Ticks));
  return (Exponent - 2) * 8 +
         static_cast<unsigned>((Ticks >> (Exponent - 3)) & 7);
}

/// Adds one to a header counter. Any thread, signal safe.
void count(loopscope_counter Counter);

/// Keeps the compiler from moving stores over this line, so that whoever finds
/// the memory after a kill finds an order that makes sense.
inline void orderStores() { __atomic_thread_fence(__ATOMIC_RELEASE); }

/// Adds a finished span of DURATION ticks to the node's statistics and closes
/// it.
inline void record(Node *N, uint64_t Duration) {
  uint32_t Sequence = N->sequence;
  N->sequence = Sequence + 1;
  orderStores();
  // The one before, whose bucket has been known for long.
  if (__builtin_expect(N->count != 0, true))
    ++links(N).Histogram->bucket[bucketOf(N->last_ticks)];
  __extension__ using Wide = unsigned __int128;
  Wide Square = static_cast<Wide>(Duration) * Duration;
  uint64_t Low = N->square_low + static_cast<uint64_t>(Square);
  N->square_high += static_cast<uint64_t>(Square >> 64) +
                    (Low < static_cast<uint64_t>(Square) ? 1 : 0);
  N->square_low = Low;
  N->sum_ticks += Duration;
  ++N->count;
  N->min_ticks = Duration < N->min_ticks ? Duration : N->min_ticks;
  N->max_ticks = Duration > N->max_ticks ? Duration : N->max_ticks;
  N->last_ticks = Duration;
  N->open = 0;
  orderStores();
  N->sequence = Sequence + 2;
}

/// Ticks from START to NOW; 0 and counted when the clock ran backwards.
inline uint64_t elapsed(uint64_t Start, uint64_t Now) {
  uint64_t Duration = Now - Start;
  if (__builtin_expect(static_cast<int64_t>(Duration) < 0, false)) {
    count(LOOPSCOPE_COUNT_CLOCK_CLAMPED);
    return 0;
  }
  return Duration;
}

/// Makes N the innermost open span, from NOW on. Current goes first: a signal
/// handler's spans then hang under N and leave its start alone.
inline void openNode(Thread *T, Node *N, uint64_t Now) {
  links(T).Current = N;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  N->enter_ticks = Now;
  orderStores();
  N->open = 1;
  T->last_ticks = Now;
}

/// Moves the prediction on: N has just ended.
inline void predictAfter(Node *N) {
  NodeLinks &L = links(N);
  NodeLinks &Parent = links(L.Parent);
  Parent.Cursor = L.NextSibling != nullptr ? L.NextSibling : Parent.FirstChild;
  L.Cursor = L.FirstChild;
}

/// Ends the innermost open span N at NOW.
inline void closeNode(Thread *T, Node *N, uint64_t Now) {
  record(N, elapsed(N->enter_ticks, Now));
  predictAfter(N);
  T->last_ticks = Now;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  links(T).Current = links(N).Parent;
}

/// The child of the innermost open node that is expected next, when it is
/// SITE's; else null.
inline Node *predictedChild(Thread *T, const loopscope_site *Site) {
  Node *N = links(links(T).Current).Cursor;
  return N != nullptr && links(N).Site == Site ? N : nullptr;
}

/// The child of the innermost open node for SITE, made at the first visit.
/// Null when there is no memory or the tree is at a limit (counted).
Node *findChild(Thread *T, const loopscope_site *Site);

/// A new node as the last child of PARENT; null without memory (counted).
Node *makeNode(Thread *T, Node *Parent, uint32_t SiteIndex, uint16_t Kind,
               uint16_t Flags, const loopscope_site *Site);

/// Closes everything that is open inside TARGET, an open node, at NOW.
void popTo(Thread *T, Node *Target, uint64_t Now);

/// The same for an open LOOP, whose next step then draws; gives the DRAW.
Node *popToDraw(Thread *T, Node *Loop, uint64_t Now);

/// Whether N is an open node of the thread. Only compares addresses.
bool isOpen(Thread *T, const Node *N);

/// Whether spans may still nest deeper below the current node.
constexpr uint32_t MaxDepth = 256;

} // namespace loopscope::runtime
