// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the copy of a profile for a merged file: all chunks but the timelines,
// node chunks cut after their last node, the newest collectives, and a history
// of fewer bins. Pure functions, for the runtime (which copies its live memory)
// and for `loopscope merge` (which copies files).
//
//   newestCollective and isInOrder of all chunks -> copySize of each ->
//   copyChunk of each
//
// The runtime needs no isInOrder: while it copies, it doesn't merge bins.
//
// Not for programs.

#ifndef LOOPSCOPE_PROFILE_COPY_H
#define LOOPSCOPE_PROFILE_COPY_H

#include <loopscope/history_lanes.h>
#include <loopscope/profile_format.h>

#include <string.h>

namespace loopscope::profile_copy {

/// A chunk in memory. The size in its header has been checked.
struct Source {
  const loopscope_chunk_header *Header; ///< the entries follow it
  uint64_t Offset; ///< in the file that string references count in
};

/// Neighbouring bins of a history that a copy makes one of: 4,096 ranks would
/// have a gigabyte of them.
inline constexpr uint32_t BinsTogether = 8;

/// Selects what to copy.
struct Limits {
  uint64_t SequenceAfter = 0; ///< collectives with a later sequence
  /// The history's neighbouring bins that become one; 1 for a history that
  /// isn't in order, see isInOrder().
  uint32_t Together = BinsTogether;
};

inline uint64_t wholePages(uint64_t Bytes) {
  constexpr uint64_t Page = LOOPSCOPE_PROFILE_PAGE;
  return (Bytes + Page - 1) / Page * Page;
}

inline const char *entriesOf(const Source &S) {
  return reinterpret_cast<const char *>(S.Header + 1);
}

/// Whether the chunk really holds the number of entries in its header, each at
/// least SIZE bytes plus EXTRA. Other chunks are copied unchanged.
inline bool isSound(const Source &S, uint64_t Size, uint64_t Extra) {
  const loopscope_chunk_header &H = *S.Header;
  return H.entry_size >= Size && H.entry_size % 8 == 0 &&
         uint64_t(H.capacity) * (H.entry_size + Extra) <= H.size - sizeof(H);
}

inline bool isRing(const Source &S) {
  return S.Header->type == LOOPSCOPE_CHUNK_COLLECTIVES &&
         isSound(S, sizeof(loopscope_collective), 0);
}

inline bool isNodes(const Source &S) {
  return S.Header->type == LOOPSCOPE_CHUNK_NODES &&
         isSound(S, sizeof(loopscope_profile_node),
                 sizeof(loopscope_histogram));
}

inline bool isHistory(const Source &S) {
  return (S.Header->type == LOOPSCOPE_CHUNK_HISTORY &&
          isSound(S, sizeof(loopscope_history_bin), 0)) ||
         (S.Header->type == LOOPSCOPE_CHUNK_HISTORY_STEPS &&
          isSound(S, sizeof(loopscope_history_steps), 0));
}

template <typename T> const T &entryOf(const Source &S, uint32_t At) {
  return *reinterpret_cast<const T *>(entriesOf(S) +
                                      uint64_t(At) * S.Header->entry_size);
}

inline uint64_t sequenceOf(const Source &S, uint32_t At) {
  return __atomic_load_n(&entryOf<loopscope_collective>(S, At).sequence,
                         __ATOMIC_ACQUIRE);
}

/// The latest sequence of a chunk of collectives; 0 for other chunks.
inline uint64_t newestCollective(const Source &S) {
  uint64_t Newest = 0;
  if (isRing(S))
    for (uint32_t I = 0; I < S.Header->capacity; ++I)
      if (uint64_t Next = sequenceOf(S, I); Next > Newest)
        Newest = Next;
  return Newest;
}

/// Whether the bins of a chunk follow each other: not while the runtime merges
/// them, when places next to each other have merged bins and parts of those. In
/// a process that was killed then, they stay so. True for other chunks.
inline bool isInOrder(const Source &S) {
  if (!isHistory(S))
    return true;
  uint64_t End = 0;
  auto Follows = [&](const auto &Bin) {
    if (Bin.end_ticks == 0)
      return true;
    bool IsLater = Bin.begin_ticks >= End;
    End = Bin.end_ticks;
    return IsLater;
  };
  bool IsBins = S.Header->type == LOOPSCOPE_CHUNK_HISTORY;
  for (uint32_t I = 0; I < S.Header->capacity; ++I)
    if (!(IsBins ? Follows(entryOf<loopscope_history_bin>(S, I))
                 : Follows(entryOf<loopscope_history_steps>(S, I))))
      return false;
  return true;
}

/// Merges the bins of a chunk whose places are together, TOGETHER of them, and
/// gives each result to VISIT. All chunks have the same borders between places,
/// so the steps of a loop stay within bins. Bins that don't follow each other
/// stay apart.
template <typename Bin, typename Function>
void mergeBins(const Source &S, uint32_t Together, Function Visit) {
  Bin Merged{};
  for (uint32_t I = 0; I < S.Header->capacity; ++I) {
    Bin Next{};
    memcpy(&Next, &entryOf<Bin>(S, I), sizeof(Bin));
    bool IsApart = I % Together == 0 ||
                   (Next.end_ticks != 0 && Next.begin_ticks < Merged.end_ticks);
    if (IsApart && Merged.end_ticks != 0) {
      Visit(Merged);
      Merged = {};
    }
    history::merge(Merged, Next);
  }
  if (Merged.end_ticks != 0)
    Visit(Merged);
}

/// The same for either kind of chunk.
template <typename Function>
void mergeHistory(const Source &S, const Limits &Taken, Function Visit) {
  if (S.Header->type == LOOPSCOPE_CHUNK_HISTORY)
    mergeBins<loopscope_history_bin>(S, Taken.Together, Visit);
  else
    mergeBins<loopscope_history_steps>(S, Taken.Together, Visit);
}

/// The limits for a profile whose newest collective is NEWEST, in a run of
/// RANKS ranks.
inline Limits limitsOf(uint64_t Newest, uint64_t Ranks) {
  uint64_t Taken = LOOPSCOPE_MERGED_RING_BYTES / (Ranks == 0 ? 1 : Ranks) /
                   sizeof(loopscope_collective);
  Limits Result;
  Result.SequenceAfter = Newest > Taken ? Newest - Taken : 0;
  return Result;
}

/// How many entries of a chunk the copy has.
inline uint32_t entriesCopied(const Source &S, const Limits &Taken) {
  uint32_t Count = 0;
  if (isRing(S)) {
    for (uint32_t I = 0; I < S.Header->capacity; ++I)
      Count += sequenceOf(S, I) > Taken.SequenceAfter ? 1 : 0;
  } else if (isHistory(S)) {
    mergeHistory(S, Taken, [&Count](const auto & /*Bin*/) { ++Count; });
  } else if (isNodes(S)) {
    for (uint32_t I = 0; I < S.Header->capacity; ++I)
      if (__atomic_load_n(&entryOf<loopscope_profile_node>(S, I).state,
                          __ATOMIC_ACQUIRE) != 0)
        Count = I + 1;
  }
  return Count;
}

/// The size in bytes of the copy of a chunk with COUNT entries; 0: leave it
/// out.
inline uint64_t copySize(const Source &S, uint32_t Count) {
  constexpr uint64_t Head = sizeof(loopscope_chunk_header);
  if (LOOPSCOPE_MERGED_LEAVES_OUT(S.Header->type))
    return 0;
  uint64_t EntrySize = S.Header->entry_size;
  if (isRing(S) || isHistory(S))
    return Count == 0 ? 0 : wholePages(Head + Count * EntrySize);
  if (isNodes(S))
    return wholePages(Head + Count * (EntrySize + sizeof(loopscope_histogram)));
  return S.Header->size;
}

/// Calls COPY, which copies what SEQUENCE guards, until nobody wrote meanwhile.
/// False: no stable state could be read.
template <typename Function>
bool copyStable(const uint32_t &Sequence, Function Copy) {
  constexpr int MostTries = 100;
  for (int Try = 0; Try < MostTries; ++Try) {
    uint32_t Before = __atomic_load_n(&Sequence, __ATOMIC_ACQUIRE);
    Copy();
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (Before % 2 == 0 &&
        __atomic_load_n(&Sequence, __ATOMIC_ACQUIRE) == Before)
      return true;
  }
  return false;
}

/// Copies a node that its thread may be writing. If no stable state can be
/// read, the copy's sequence stays odd.
inline void copyNode(const Source &S, uint32_t At, char *To) {
  const auto &From = entryOf<loopscope_profile_node>(S, At);
  if (!copyStable(From.sequence,
                  [&] { memcpy(To, &From, S.Header->entry_size); }))
    reinterpret_cast<loopscope_profile_node *>(To)->sequence |= 1U;
}

/// Writes the copy, with COUNT entries, to TO: zeroed memory of at least
/// copySize() bytes.
inline void copyChunk(const Source &S, uint32_t Count, const Limits &Taken,
                      char *To) {
  uint64_t Size = copySize(S, Count);
  if (Size == 0)
    return;
  uint64_t EntrySize = S.Header->entry_size;
  char *Entries = To + sizeof(loopscope_chunk_header);
  auto *Head = reinterpret_cast<loopscope_chunk_header *>(To);
  if (isRing(S) || isNodes(S) || isHistory(S)) {
    memcpy(To, S.Header, sizeof(*Head));
    Head->capacity = Count;
  } else {
    memcpy(To, S.Header, Size);
  }
  if (isRing(S)) {
    uint32_t Done = 0;
    for (uint32_t I = 0; I < S.Header->capacity && Done < Count; ++I) {
      uint64_t Before = sequenceOf(S, I);
      if (Before <= Taken.SequenceAfter)
        continue;
      char *Slot = Entries + Done++ * EntrySize;
      memcpy(Slot, &entryOf<loopscope_collective>(S, I), EntrySize);
      __atomic_thread_fence(__ATOMIC_ACQUIRE);
      if (sequenceOf(S, I) != Before)
        reinterpret_cast<loopscope_collective *>(Slot)->sequence = 0;
    }
    Head->used = Count;
    Head->first_index = 0;
  } else if (isHistory(S)) {
    uint32_t Done = 0;
    mergeHistory(S, Taken, [&](const auto &Bin) {
      if (Done < Count)
        memcpy(Entries + Done++ * EntrySize, &Bin, sizeof(Bin));
    });
    Head->used = Done;
    Head->first_index = 0;
  } else if (isNodes(S)) {
    for (uint32_t I = 0; I < Count; ++I)
      copyNode(S, I, Entries + I * EntrySize);
    memcpy(Entries + Count * EntrySize,
           entriesOf(S) + S.Header->capacity * EntrySize,
           Count * sizeof(loopscope_histogram));
    if (Head->used > Count)
      Head->used = Count;
  }
  Head->size = Size;
  Head->copied_from = S.Offset;
}

/// Makes the header of a copy of SIZE bytes.
inline void copyHeader(const loopscope_profile_header &From, uint64_t Size,
                       loopscope_profile_header &To) {
  memcpy(&To, &From, LOOPSCOPE_PROFILE_PAGE);
  To.header_size = LOOPSCOPE_PROFILE_PAGE;
  To.used_bytes = Size;
  To.flags |= LOOPSCOPE_FLAG_COPY;
  To.flags &= ~uint32_t(LOOPSCOPE_FLAG_ANONYMOUS);
}

} // namespace loopscope::profile_copy

#endif // LOOPSCOPE_PROFILE_COPY_H
