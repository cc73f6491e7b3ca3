// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The history's bins: a series of records in the profile, a chunk for every
// quarter of them, made when it is needed.
//
// A reader may come, and the process may be killed, at any moment. So no record
// is changed while it counts, except that the last one grows, and a merged bin
// is complete before those that it was made of go.

#ifndef LOOPSCOPE_HISTORY_BINS_H
#define LOOPSCOPE_HISTORY_BINS_H

#include "profile/chunks.h"

#include <loopscope/history_lanes.h>

#include <string.h>

namespace loopscope::runtime {

/// A chunk with CAPACITY places, all of them published; null if out of memory
/// or if the profile is lost. Takes the slow lock.
Chunk *addPlaces(loopscope_chunk_type Type, uint32_t Capacity,
                 uint32_t EntrySize);

/// Bins in one chunk.
constexpr uint32_t BinsOfPiece = LOOPSCOPE_HISTORY_BINS / 4;

/// Merges each two neighbours of COUNT bins, which AT gives (null: unused, and
/// so are later ones), into the first half of them. WRITE replaces a bin.
/// SPARE, unused, holds the first merged bin while that takes the place of a
/// bin that it was made of.
template <typename Bin, typename Access, typename Replace>
void foldBins(uint32_t Count, Bin *Spare, Access At, Replace Write) {
  auto Copy = [&](uint32_t Index) {
    const Bin *Its = At(Index);
    return Its == nullptr ? Bin{} : *Its;
  };
  for (uint32_t I = 0; I < Count / 2; ++I) {
    Bin Merged = Copy(2 * I);
    history::merge(Merged, Copy(2 * I + 1));
    if (I == 0)
      Write(Spare, Merged);
    if (At(I) != nullptr)
      Write(At(I), Merged);
  }
  Write(Spare, Bin{});
  for (uint32_t I = Count / 2; I < Count; ++I)
    if (At(I) != nullptr)
      Write(At(I), Bin{});
}

/// Records of one kind, numbered as the bins are. Zeroed memory is an empty
/// series. Used by the background thread only.
template <typename Bin> class BinSeries {
public:
  /// Makes sure that record INDEX exists, and all before it. False if out of
  /// memory. Takes the slow lock for a new chunk.
  bool reach(loopscope_chunk_type Type, uint32_t Index) {
    for (uint32_t I = 0; I <= Index / BinsOfPiece; ++I) {
      if (Pieces[I] != nullptr)
        continue;
      // The first one has the spare, too.
      Pieces[I] = addPlaces(Type, BinsOfPiece + (I == 0 ? 1 : 0), sizeof(Bin));
      if (Pieces[I] == nullptr)
        return false;
    }
    return true;
  }

  /// Record INDEX; null before it is reached.
  Bin *at(uint32_t Index) {
    Chunk *Piece = Pieces[Index / BinsOfPiece];
    return Piece == nullptr ? nullptr : records(Piece) + Index % BinsOfPiece;
  }

  /// Merges each two neighbours of the first COUNT records, an even number,
  /// which then are half as many.
  void fold(uint32_t Count) {
    if (Pieces[0] != nullptr)
      foldBins<Bin>(
          Count, records(Pieces[0]) + BinsOfPiece,
          [this](uint32_t Index) { return at(Index); }, write);
  }

private:
  static Bin *records(Chunk *Of) {
    return reinterpret_cast<Bin *>(entries(Of));
  }
  // The record doesn't count before it is complete.
  static void write(Bin *To, Bin From) {
    uint64_t End = From.end_ticks;
    __atomic_store_n(&To->end_ticks, 0, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    From.end_ticks = 0;
    memcpy(To, &From, sizeof(Bin));
    __atomic_store_n(&To->end_ticks, End, __ATOMIC_RELEASE);
  }

  Chunk *Pieces[LOOPSCOPE_HISTORY_BINS / BinsOfPiece];
};

/// All of a profile's.
struct HistoryBins {
  BinSeries<loopscope_history_bin> Bins;
  BinSeries<loopscope_history_steps> Steps[LOOPSCOPE_HISTORY_LOOPS];
  uint32_t Used;
  uint64_t WidthTicks; ///< a bin that is as long gets no longer

  /// Makes sure that the last bin may still grow at NOW, in ticks; BEGAN: when
  /// the profile did. False if out of memory.
  bool prepare(uint64_t Began, uint64_t Now);
  /// The last bin, after prepare().
  loopscope_history_bin &last() { return *Bins.at(Used - 1); }
  /// The last bin's record of a loop, whose STEP has this lane, and which is
  /// the loop of this number. Null if out of memory.
  loopscope_history_steps *stepsOf(uint32_t Loop, uint32_t Lane);
  /// The last bin ends at NOW.
  void extend(uint64_t Now);
  /// Takes TICKS out of a lane's last bins.
  void takeBack(uint32_t Lane, uint64_t Ticks);

private:
  void fold();
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_HISTORY_BINS_H
