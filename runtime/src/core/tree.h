// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's call-path tree and the hot path over it.
//
// Nodes and threads are the profile's own records (loopscope/profile_format.h);
// what only the running process needs lies in their writer_private words, seen
// here as NodeLinks and ThreadLinks. A tree is written by one thread only.
//
// The next child is predicted: `Cursor` is the child expected next. Leaving a
// child moves its parent's cursor on to the child's successor, and resets the
// child's own cursor to its first child. Children form a ring, and a node
// without any points to NoChild, so that none of this needs a branch.
//
// No store in this file has an address that depends on a fresh clock reading;
// that is why a duration reaches the histogram one span late.

#ifndef LOOPSCOPE_CORE_TREE_H
#define LOOPSCOPE_CORE_TREE_H

#include "clock.h"

#include <loopscope/loopscope.h>

#include <stddef.h>

namespace loopscope::runtime {

using Node = loopscope_profile_node;
using Thread = loopscope_profile_thread;

// What the last two words of a node's part are, by its kind.

/// A phase, stage or epoch.
struct PhaseWords {
  uint64_t SumAtStep; ///< below a BATCH: sum_ticks when the last step ended
  uint64_t Unused;
};
/// FUNCTION.
struct FunctionWords {
  uint64_t SumAtStep; ///< as PhaseWords has it
  uint64_t IsOff;     ///< 1: its hooks have been switched off
};
/// COLLECTIVE.
struct CollectiveWords {
  uint64_t SumAtStep; ///< as PhaseWords has it
  uint64_t Bytes;     ///< that the open span moves
};
/// TRAIN and VALID. They may lie below the BATCH of another loop.
struct LoopWords {
  uint64_t SumAtStep; ///< as PhaseWords has it
  uint64_t Steps;     ///< so far, see stepsOf() in steps.cpp
};
struct StepWords {
  uint64_t NextChange; ///< the first step that may belong to another STEP
  uint64_t IsMuted;    ///< 1: the open step is outside the window
};
struct BatchWords {
  uint64_t Unused;
  uint64_t Samples; ///< of the open step; NoSamples before they are given
};
/// The DRAW of a step, as opposed to an ordinary span of that kind.
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
  uint32_t Watchers;    ///< others: extensions that watch its spans, a bit each
};

/// The running process's part of a node. No pointer is ever null but Parent (of
/// a root) and Site.
struct __attribute__((may_alias)) NodeLinks {
  Node *Parent;
  Node *FirstChild; ///< NoChild without children
  Node *Successor;  ///< the next child of Parent; of the last, the first
  Node *Cursor;     ///< the child expected next
  const loopscope_site *Site; ///< with SlowBits; see siteOf()
  loopscope_histogram *Histogram;
  union {
    PhaseWords Phase; ///< what isn't one of the others
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

/// Stands where there is no child; its Site is no site's address. Hidden, as
/// all that hooks read often: its address then needs no look-up.
extern __attribute__((visibility("hidden"))) Node NoChild;

/// Of a BATCH: no samples in this step; and none in any step so far.
constexpr uint64_t NoSamples = UINT64_MAX;

/// The running process's part of a thread.
struct __attribute__((may_alias)) ThreadLinks {
  Node *Current;        ///< innermost open node
  uint64_t CalibrateAt; ///< ticks from which the clock wants calibration
  Node *Reserve;        ///< unused nodes of this tree, next to each other
  uint64_t ReserveCount;
  loopscope_histogram *ReserveHistograms;
  Thread *NextFree;
  Node **Known;          ///< children found lately, by parent and site
  uint64_t *EventCursor; ///< the next event's place; null without a timeline
  uint64_t *EventEnd;
  uint64_t EventBase;
};
static_assert(sizeof(ThreadLinks) == sizeof(Thread::writer_private));

inline NodeLinks &links(Node *N) {
  return *reinterpret_cast<NodeLinks *>(N->writer_private);
}
inline NodeWord &word(Node *N) {
  return *reinterpret_cast<NodeWord *>(&N->writer_word);
}
inline ThreadLinks &links(Thread *T) {
  return *reinterpret_cast<ThreadLinks *>(T->writer_private);
}

/// The bit of NodeLinks::Site of a node that extensions measure at its borders
/// (measureSpans): another site than the fast hooks expect, so its spans take
/// the slow path at no cost to the others.
constexpr uintptr_t MeasuredBit = 1;
/// The same of a node whose spans an extension may lengthen (lengthenSpans).
constexpr uintptr_t LengthenedBit = 2;
/// The same of a COLLECTIVE each of whose spans is recorded (recordSpans).
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

/// A duration that has no bucket: longer than decades, so the clock is wrong.
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

/// Keeps the compiler from moving stores over this line, so that whoever finds
/// the memory after a kill finds an order that makes sense.
inline void orderStores() { __atomic_thread_fence(__ATOMIC_RELEASE); }

/// Stores the sequence and open = 0, its neighbour, in one go.
inline void setSequenceAndClose(Node *N, uint32_t Sequence) {
  static_assert(offsetof(Node, open) == offsetof(Node, sequence) + 4 &&
                offsetof(Node, sequence) % 8 == 0);
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  struct __attribute__((may_alias)) Both {
    uint64_t Word;
  };
  reinterpret_cast<Both *>(&N->sequence)->Word = Sequence;
}

/// What is known of a duration: where it can't be the longest so far, nobody
/// has to look.
enum class Longest { No, Perhaps };

/// The bucket of N's last duration, which is still to be counted. Known before
/// the clock is read, so that the processor finds it while it reads.
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
  // The one before. The first time there is none, and bucket 0 goes from -1 to
  // 0.
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
  // From a register, though that one has to be saved: reading the word again
  // would wait for its store.
  setSequenceAndClose(N, Sequence + 2);
}

inline void record(Node *N, uint64_t Duration) {
  record<Longest::Perhaps>(N, Duration, lastBucket(N));
}

/// Whether a duration can't be right: the clock ran backwards.
inline bool isWrong(uint64_t Duration) {
  return __builtin_expect(Duration >> LongestDurationBits != 0, false);
}

/// Ticks from START to NOW; 0 and counted when the clock ran backwards.
inline uint64_t elapsed(uint64_t Start, uint64_t Now) {
  uint64_t Duration = Now - Start;
  if (isWrong(Duration)) {
    count(LOOPSCOPE_COUNT_CLOCK_CLAMPED);
    return 0;
  }
  return Duration;
}

/// Makes N the innermost open span, from START on, the thread's last clock
/// reading. Current goes first: a signal handler's spans then hang under N and
/// leave its start alone.
inline void openNodeFrom(Thread *T, Node *N, uint64_t Start) {
  links(T).Current = N;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  N->enter_ticks = Start;
  orderStores();
  N->open = 1;
}

/// The same from NOW on, which becomes the thread's last reading.
inline void openNode(Thread *T, Node *N, uint64_t Now) {
  openNodeFrom(T, N, Now);
  T->last_ticks = Now;
}

/// Ends the innermost open span N after DURATION ticks, at NOW. BUCKET:
/// lastBucket(N).
template <Longest IsLongest>
inline __attribute__((always_inline)) void
closeNode(Thread *T, Node *N, uint64_t Duration, uint64_t Now,
          uint64_t *Bucket) {
  record<IsLongest>(N, Duration, Bucket);
  NodeLinks &L = links(N);
  Node *Parent = L.Parent;
  links(Parent).Cursor = L.Successor;
  L.Cursor = L.FirstChild;
  T->last_ticks = Now;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  links(T).Current = Parent;
}

/// The child of the innermost open node that is expected next. It is SITE's
/// only if its Site says so.
inline Node *expectedChild(Thread *T) { return links(links(T).Current).Cursor; }

/// The child of the innermost open node for SITE if it was visited lately and
/// has no slow bit, else null. Quick.
Node *recallChild(Thread *T, const loopscope_site *Site);
/// The same of one that is.
Node *recallMeasured(Thread *T, const loopscope_site *Site);

/// The child of the innermost open node for SITE, made at the first visit.
/// Null when there is no memory or the tree is at a limit (counted).
Node *findChild(Thread *T, const loopscope_site *Site);

/// A new node as the last child of PARENT; null without memory (counted).
Node *makeNode(Thread *T, Node *Parent, uint32_t SiteIndex, uint16_t Kind,
               uint16_t Flags, const loopscope_site *Site);

/// Calls VISIT(child) for the children of PARENT in order of first visit until
/// it gives true; gives that child, else null.
template <typename Function> Node *findAmong(Node *Parent, Function Visit) {
  Node *First = links(Parent).FirstChild;
  if (First == &NoChild)
    return nullptr;
  Node *N = First;
  do {
    if (Visit(N))
      return N;
    N = links(N).Successor;
  } while (N != First);
  return nullptr;
}

/// Opens N, the child that was found for a span and has no slow bit, and notes
/// it in the timeline.
void openSpan(Thread *T, Node *N, uint64_t Now);
/// The same of any child. A measured one begins when its measure has been
/// taken.
void beginSpan(Thread *T, Node *N, uint64_t Now, bool OnSlowPath = false);
/// Ends the innermost open node, an ordinary span, at NOW, in the timeline too.
/// The measure of a measured one is taken afterwards.
void endSpan(Thread *T, Node *N, uint64_t Now);

/// Closes everything that is open inside TARGET, an open node, at NOW.
void popTo(Thread *T, Node *Target, uint64_t Now);

/// The same for an open LOOP, whose next step then draws; gives the DRAW.
Node *popToDraw(Thread *T, Node *Loop, uint64_t Now);

/// Whether N is an open node of the thread. Only compares addresses.
bool isOpen(Thread *T, const Node *N);

/// Whether spans may still nest deeper below the current node.
constexpr uint32_t MaxDepth = 256;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_TREE_H
