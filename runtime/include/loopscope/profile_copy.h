// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the copy of a profile for a merged file: all chunks but the timelines,
// node chunks cut after their last node, the newest collectives, and a history
// of fewer bins. A brief copy, of which a summary has one for each rank, leaves
// out more (LOOPSCOPE_SUMMARY_LEAVES_OUT). Pure functions, for the runtime
// (which copies its live memory) and for `loopscope merge` (which copies
// files).
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
  /// Of a brief copy: how many samples of each loop's steps it may have; 0: the
  /// copy isn't brief. Those of the longest steps stay.
  uint32_t Samples = 0;
  bool isBrief() const { return Samples != 0; }
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

inline bool isOwnSteps(const Source &S) {
  return S.Header->type == LOOPSCOPE_CHUNK_OWN_STEPS &&
         isSound(S, sizeof(loopscope_own_step), 0);
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

/// The limits of a brief copy of a profile whose newest collective is NEWEST:
/// SAMPLES of the steps, and a quarter as many collectives.
inline Limits briefLimits(uint64_t Newest, uint32_t Samples) {
  constexpr uint32_t SamplesByCollective = 4;
  uint64_t Collectives = Samples / SamplesByCollective;
  Limits Result;
  Result.SequenceAfter = Newest > Collectives ? Newest - Collectives : 0;
  Result.Samples = Samples;
  return Result;
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

/// Calls VISIT with the place of each step that a brief copy has of a chunk.
/// All ranks double their stride, so that of the coarsest is common to all.
template <typename Function>
void forBriefSteps(const Source &S, uint32_t Samples, Function Visit) {
  uint32_t Places = S.Header->capacity;
  uint32_t Long = Places < LOOPSCOPE_LONG_STEPS ? Places : LOOPSCOPE_LONG_STEPS;
  auto StepAt = [&](uint32_t At) -> const loopscope_own_step & {
    return entryOf<loopscope_own_step>(S, At);
  };
  auto IsUsed = [&](uint32_t At) {
    return __atomic_load_n(&StepAt(At).sequence, __ATOMIC_ACQUIRE) != 0;
  };
  uint64_t Stride = 1;
  auto Kept = [&] {
    uint32_t Count = 0;
    for (uint32_t I = 0; I < Places - Long; ++I)
      Count += IsUsed(I) && StepAt(I).step % Stride == 0 ? 1 : 0;
    return Count;
  };
  constexpr uint64_t Most = uint64_t{1} << 62;
  while (Stride < Most && Kept() > Samples)
    Stride *= 2;
  for (uint32_t I = 0; I < Places; ++I)
    if (IsUsed(I) && (I >= Places - Long || StepAt(I).step % Stride == 0))
      Visit(I);
}

/// How many entries of a chunk the copy has.
inline uint32_t entriesCopied(const Source &S, const Limits &Taken) {
  uint32_t Count = 0;
  if (Taken.isBrief() && isOwnSteps(S)) {
    forBriefSteps(S, Taken.Samples, [&Count](uint32_t /*At*/) { ++Count; });
  } else if (isRing(S)) {
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

/// Whether the copy has just those entries of the chunk that COUNT counts.
inline bool isSelected(const Source &S, const Limits &Taken) {
  return isRing(S) || isHistory(S) || (Taken.isBrief() && isOwnSteps(S));
}

/// The size in bytes of the copy of a chunk with COUNT entries; 0: leave it
/// out.
inline uint64_t copySize(const Source &S, uint32_t Count, const Limits &Taken) {
  constexpr uint64_t Head = sizeof(loopscope_chunk_header);
  if (LOOPSCOPE_MERGED_LEAVES_OUT(S.Header->type) ||
      (Taken.isBrief() && LOOPSCOPE_SUMMARY_LEAVES_OUT(S.Header->type)))
    return 0;
  uint64_t EntrySize = S.Header->entry_size;
  if (isSelected(S, Taken))
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

/// Clears what only the writer reads in a brief copy of COUNT nodes or threads:
/// addresses, which differ between all ranks.
template <typename T>
void forgetWriter(char *Entries, uint32_t Count, uint64_t EntrySize) {
  for (uint32_t I = 0; I < Count; ++I) {
    auto &Each = *reinterpret_cast<T *>(Entries + I * EntrySize);
    memset(Each.writer_private, 0, sizeof(Each.writer_private));
  }
}

/// Writes the copy, with COUNT entries, to TO: zeroed memory of at least
/// copySize() bytes.
inline void copyChunk(const Source &S, uint32_t Count, const Limits &Taken,
                      char *To) {
  uint64_t Size = copySize(S, Count, Taken);
  if (Size == 0)
    return;
  uint64_t EntrySize = S.Header->entry_size;
  char *Entries = To + sizeof(loopscope_chunk_header);
  auto *Head = reinterpret_cast<loopscope_chunk_header *>(To);
  if (isNodes(S) || isSelected(S, Taken)) {
    memcpy(To, S.Header, sizeof(*Head));
    Head->capacity = Count;
  } else {
    memcpy(To, S.Header, Size);
  }
  if (Taken.isBrief() && isOwnSteps(S)) {
    uint32_t Done = 0;
    forBriefSteps(S, Taken.Samples, [&](uint32_t From) {
      if (Done == Count)
        return;
      auto *Slot =
          reinterpret_cast<loopscope_own_step *>(Entries + Done++ * EntrySize);
      const auto &Step = entryOf<loopscope_own_step>(S, From);
      uint64_t Before = __atomic_load_n(&Step.sequence, __ATOMIC_ACQUIRE);
      memcpy(Slot, &Step, EntrySize);
      __atomic_thread_fence(__ATOMIC_ACQUIRE);
      if (__atomic_load_n(&Step.sequence, __ATOMIC_ACQUIRE) != Before)
        Slot->sequence = 0;
    });
    Head->used = Done;
    Head->first_index = 0;
  } else if (isRing(S)) {
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
  if (Taken.isBrief() && isNodes(S))
    forgetWriter<loopscope_profile_node>(Entries, Count, EntrySize);
  if (Taken.isBrief() && S.Header->type == LOOPSCOPE_CHUNK_THREADS &&
      isSound(S, sizeof(loopscope_profile_thread), 0))
    forgetWriter<loopscope_profile_thread>(Entries, S.Header->capacity,
                                           EntrySize);
  Head->size = Size;
  Head->copied_from = S.Offset;
}

/// Makes the header of a copy of SIZE bytes.
inline void copyHeader(const loopscope_profile_header &From, uint64_t Size,
                       const Limits &Taken, loopscope_profile_header &To) {
  memcpy(&To, &From, LOOPSCOPE_PROFILE_PAGE);
  To.header_size = LOOPSCOPE_PROFILE_PAGE;
  To.used_bytes = Size;
  To.flags |= LOOPSCOPE_FLAG_COPY;
  if (Taken.isBrief())
    To.flags |= LOOPSCOPE_FLAG_BRIEF;
  To.flags &= ~uint32_t(LOOPSCOPE_FLAG_ANONYMOUS);
}

} // namespace loopscope::profile_copy

#endif // LOOPSCOPE_PROFILE_COPY_H
