// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The running process's part of a thread, through which hooks reach its tree.
//
// A thread is a record of the profile (loopscope/profile_format.h). Its links
// are in memory of the process and vanish in a forked child, however it was
// made (fork_notice.h): their words are null there. So hooks, which begin with
// Current, write nothing into the parent's profile.
//
// No pointer that a hook follows is in the file. Somebody may cut it, and the
// kernel puts zeros after the new end, without a signal. So the words that
// records of threads and nodes have for the process lie OwnDistance before
// them, in anonymous memory (ownPart).

#ifndef LOOPSCOPE_BASE_THREAD_LINKS_H
#define LOOPSCOPE_BASE_THREAD_LINKS_H

#include <loopscope/profile_format.h>

#include <stddef.h>

namespace loopscope::runtime {

using Node = loopscope_profile_node;
using Thread = loopscope_profile_thread;

/// How far before a record its part in the process's memory is: further than
/// the records of any chunk reach, so that one distance serves all, and no
/// hook needs an instruction for it. Both are at the same place within pages of
/// up to 64 KiB, and have none in common (reservePlace).
constexpr size_t OwnDistance = 97ULL * LOOPSCOPE_PROFILE_PAGE;

/// The process's words of a record, as TYPE. WORDS: the record's
/// writer_private, whose place in the file stays unused.
template <typename Type> inline Type &ownPart(uint64_t *Words) {
  // Of integers, the difference takes hooks three instructions more.
  // NOLINTNEXTLINE(clang-analyzer-security.ArrayBound)
  return *reinterpret_cast<Type *>(reinterpret_cast<char *>(Words) -
                                   OwnDistance);
}

struct KeyTable;

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
  KeyTable *Keys;        ///< keyed nodes (tree/keys.h); null without any
  uint64_t *EventCursor; ///< where the next event goes; null without a timeline
  uint64_t *EventEnd;
  uint64_t EventBase;
  uint64_t Pauses; ///< that the program hasn't ended (tree/pause.h)
};

/// The distance of threads' links in an array, so that none share a cache line.
constexpr size_t LinksApart = 128;
static_assert(sizeof(ThreadLinks) <= LinksApart);

/// Stands for the links of a thread that mustn't take the fast path. All null.
/// Hidden, like all data that hooks read often, so that its address needs no
/// look-up.
extern __attribute__((visibility("hidden"))) ThreadLinks NoLinks;

/// The own part of a thread's record.
struct __attribute__((may_alias)) ThreadWords {
  ThreadLinks *Links;
};
static_assert(sizeof(ThreadWords) <= sizeof(Thread::writer_private));

inline ThreadLinks &links(Thread *T) {
  return *ownPart<ThreadWords>(T->writer_private).Links;
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_THREAD_LINKS_H
