// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's call-path tree and the hot path over it.
//
// Nodes and threads are the profile's own records (loopscope/profile_format.h);
// a node's data for the running process is in its writer_private words,
// accessed as NodeLinks. A thread's, ThreadLinks, is in memory of the process,
// to which its record points. Only one thread writes a tree.
//
// ThreadLinks vanish in a forked child, however it was made (fork_notice.h):
// their words are null there. So hooks, which begin with Current, write nothing
// into the parent's profile.
//
// The next child is predicted: `Cursor` is the child expected next. Leaving a
// child advances its parent's cursor to the child's successor, and resets the
// child's own cursor to its first child. Children form a ring, and a childless
// node points to NoChild, so that none of this needs a branch.
//
// No store in this file has an address that depends on a fresh clock reading;
// therefore a duration enters the histogram one span late.

#ifndef LOOPSCOPE_CORE_TREE_H
#define LOOPSCOPE_CORE_TREE_H

#include "clock.h"
#include "stack_mark.h"

#include <loopscope/loopscope.h>

#include <stddef.h>

// Its values: loopscope/profile_counters.h.
enum loopscope_counter : unsigned;

namespace loopscope::runtime {

using Node = loopscope_profile_node;
using Thread = loopscope_profile_thread;

// The meaning of the last two words, by the node's kind.

/// A phase, stage or epoch.
struct PhaseWords {
  uint64_t SumAtStep; ///< below a BATCH: sum_ticks when the last step ended
  uint64_t Unused;
};
/// FUNCTION.
struct FunctionWords {
  uint64_t SumAtStep; ///< see PhaseWords
  uint64_t IsOff;     ///< 1: its hooks have been switched off
};
/// COLLECTIVE.
struct CollectiveWords {
  uint64_t SumAtStep; ///< see PhaseWords
  uint64_t Bytes;     ///< moved by the open span
};
/// TRAIN and VALID. They may lie below the BATCH of another loop.
struct LoopWords {
  uint64_t SumAtStep; ///< see PhaseWords
  uint64_t Steps;     ///< so far, see stepsOf() in steps.cpp
};
struct StepWords {
  uint64_t NextChange; ///< the first step that may belong to another STEP node
  uint64_t IsMuted;    ///< 1: the open step is outside the window
};
struct BatchWords {
  uint64_t Unused;
  uint64_t Samples; ///< of the open step; NoSamples before they are given
};
/// The DRAW of a step; ordinary spans of kind DRAW have PhaseWords.
struct StepDrawWords {
  uint64_t Unused;
  Node *Interrupted; ///< the node that an explicit draw interrupted, else null
};

/// A node of a cut (cut.h).
struct CutWords {
  uint64_t Unused;
  Node *Interrupted; ///< the node that was innermost when the cut began
};

/// Node::writer_word.
union __attribute__((may_alias)) NodeWord {
  uint32_t StepsBefore; ///< TRAIN and VALID: Steps when this execution began
  uint32_t Watchers; ///< others: extensions that watch its spans, one bit each
};

/// The running process's part of a node. No pointer is ever null except Parent
/// (of a root) and Site.
struct __attribute__((may_alias)) NodeLinks {
  Node *Parent;
  Node *FirstChild; ///< NoChild without children
  Node *Successor;  ///< the next child of Parent; of the last, the first
  Node *Cursor;     ///< the child expected next
  const loopscope_site *Site; ///< includes the SlowBits; see siteOf()
  loopscope_histogram *Histogram;
  union {
    PhaseWords Phase; ///< all other kinds
    FunctionWords Function;
    CollectiveWords Collective;
    LoopWords Loop;
    StepWords Step;
    BatchWords Batch;
    StepDrawWords StepDraw;
    CutWords Cut;
  };
};
static_assert(sizeof(NodeLinks) == sizeof(Node::writer_private));

/// Stands for a missing child; its Site is no site's address. Hidden, like all
/// data that hooks read often, so that its address needs no look-up.
extern __attribute__((visibility("hidden"))) Node NoChild;

/// For a BATCH: no samples in this step; no samples in any step so far.
constexpr uint64_t NoSamples = UINT64_MAX;

/// The running process's part of a thread.
struct ThreadLinks {
  Node *Current;        ///< innermost open node; null in a forked child
  Thread *Owner;        ///< the thread; null in a forked child
  uint64_t CalibrateAt; ///< tick at which the clock is due for calibration
  Node *Reserve;        ///< unused nodes of this tree, contiguous
  uint64_t ReserveCount;
  loopscope_histogram *ReserveHistograms;
  Thread *NextFree;
  Node **Known;          ///< children found recently, by parent and site
  uint64_t *EventCursor; ///< where the next event goes; null without a timeline
  uint64_t *EventEnd;
  uint64_t EventBase;
};

/// The distance of threads' links in an array, so that none share a cache line.
constexpr size_t LinksApart = 128;
static_assert(sizeof(ThreadLinks) <= LinksApart);

/// Stands for the links of a thread that mustn't take the fast path. All null.
extern __attribute__((visibility("hidden"))) ThreadLinks NoLinks;

/// Thread::writer_private.
struct __attribute__((may_alias)) ThreadWords {
  ThreadLinks *Links;
};
static_assert(sizeof(ThreadWords) <= sizeof(Thread::writer_private));

inline NodeLinks &links(Node *N) {
  return *reinterpret_cast<NodeLinks *>(N->writer_private);
}
inline NodeWord &word(Node *N) {
  return *reinterpret_cast<NodeWord *>(&N->writer_word);
}
inline ThreadLinks &links(Thread *T) {
  return *reinterpret_cast<ThreadWords *>(T->writer_private)->Links;
}

/// The bit in NodeLinks::Site of a node that extensions measure at its borders
/// (measureSpans). The site then differs from what the fast hooks expect, so
/// its spans take the slow path, and others pay nothing.
constexpr uintptr_t MeasuredBit = 1;
/// The same for a node whose spans an extension may lengthen (lengthenSpans).
constexpr uintptr_t LengthenedBit = 2;
/// The same for a COLLECTIVE whose spans are recorded (recordSpans).
constexpr uintptr_t RecordedBit = 4;
constexpr uintptr_t SlowBits = MeasuredBit | LengthenedBit | RecordedBit;

inline uintptr_t slowBitsOf(const Node *N) {
  auto Site = reinterpret_cast<uintptr_t>(links(const_cast<Node *>(N)).Site);
  return Site & SlowBits;
}
inline bool isMeasured(const Node *N) {
  return (slowBitsOf(N) & MeasuredBit) != 0;
}
inline bool isLengthened(const Node *N) {
  return (slowBitsOf(N) & LengthenedBit) != 0;
}
inline bool isRecorded(const Node *N) {
  return (slowBitsOf(N) & RecordedBit) != 0;
}

/// The node's site; null for roots, STEP, DRAW and BATCH.
inline const loopscope_site *siteOf(const Node *N) {
  auto Site = reinterpret_cast<uintptr_t>(links(const_cast<Node *>(N)).Site);
  return reinterpret_cast<const loopscope_site *>(Site & ~SlowBits);
}

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

/// Adds one to a header counter. Any thread, signal safe.
void count(loopscope_counter Counter);
/// count(LOOPSCOPE_COUNT_CLOCK_CLAMPED).
void countClockWentBack();

/// Keeps the compiler from moving stores across this line, so that a reader
/// after a kill finds a consistent order.
inline void orderStores() { __atomic_thread_fence(__ATOMIC_RELEASE); }

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
Node *recallChild(Thread *T, const loopscope_site *Site);
/// The same for a child with a slow bit.
Node *recallMeasured(Thread *T, const loopscope_site *Site);

/// Whether the innermost open node had no room for SITE's child recently: then
/// a span is lost, which this counts. Fast, signal safe.
bool isLost(Thread *T, const loopscope_site *Site);

/// The child of the innermost open node for SITE, made at the first visit. Null
/// if out of memory or if the tree is at a limit (counted).
Node *findChild(Thread *T, const loopscope_site *Site);

/// A new node as the last child of PARENT; null if out of memory (counted).
Node *makeNode(Thread *T, Node *Parent, uint32_t SiteIndex, uint16_t Kind,
               uint16_t Flags, const loopscope_site *Site);

/// Calls VISIT(child) for the children of PARENT in order of first visit until
/// it returns true; returns that child, or null. A tree's nodes are numbered in
/// order of their first visits, from a root on, so one comparison ends the ring
/// at its first child and, if its memory was lost meanwhile (lost_file.h), at
/// NoChild, which has the number 0.
template <typename Function> Node *findAmong(Node *Parent, Function Visit) {
  Node *N = links(Parent).FirstChild;
  uint32_t First = N->index;
  if (First == 0)
    return nullptr;
  do {
    if (Visit(N))
      return N;
    N = links(N).Successor;
  } while (N->index > First);
  return nullptr;
}

/// Opens N, a child without a slow bit, and records it in the timeline.
void openSpan(Thread *T, Node *N, uint64_t Now, KnownMark Of);
/// The same for any child. A measured one begins after its measurement.
void beginSpan(Thread *T, Node *N, uint64_t Now, KnownMark Of,
               bool OnSlowPath = false);
/// Ends the innermost open node, an ordinary span, at NOW, also in the
/// timeline. A measured span is measured afterwards.
void endSpan(Thread *T, Node *N, uint64_t Now);

/// Closes everything that is open inside TARGET, an open node, at NOW.
void popTo(Thread *T, Node *Target, uint64_t Now);

/// Closes the innermost open node at NOW, which a jump left. If the jump left a
/// hook in the middle, what the hook had begun is finished, or given up and
/// counted.
void popInnermost(Thread *T, uint64_t Now);

/// The same for an open LOOP, whose next step then begins to draw; returns the
/// DRAW.
Node *popToDraw(Thread *T, Node *Loop, uint64_t Now);

/// Whether N is an open node of the thread. Only compares addresses.
bool isOpen(Thread *T, const Node *N);

/// Whether spans may still nest deeper below the current node.
constexpr uint32_t MaxDepth = 256;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_TREE_H
