// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of one run at two moments, side by side: a copy of its profile,
// which is changed in place, and the profile of a part that had ended before.
// A record has the same place in its chunk in both, and chunks are known by
// their place in the file that the runtime wrote.

#ifndef LOOPSCOPE_RUN_READ_TWOPROFILES_H
#define LOOPSCOPE_RUN_READ_TWOPROFILES_H

#include "Run/Read/ProfileBytes.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace loopscope {

/// The heads of the chunks of \p Profile, whose header has been checked, by
/// place. Leaves out a damaged one and everything after it.
std::vector<const loopscope_chunk_header *>
chunksOf(std::span<const std::byte> Profile);

class TwoProfiles {
public:
  /// \p Then holds what the same run had at its end_ticks. Both are aligned to
  /// 8 bytes, and outlive this.
  TwoProfiles(std::span<std::byte> Now, std::span<const std::byte> Then);

  loopscope_profile_header &now() { return *Header; }
  const loopscope_profile_header &then() const { return *Earlier; }
  /// When the part of \p Now began, in ticks.
  uint64_t began() const { return Earlier->end_ticks; }
  /// The same since the run's start.
  uint64_t beganSinceStart() const {
    return began() > Header->start_ticks ? began() - Header->start_ticks : 0;
  }

  /// One record now and then; null then if it is newer.
  struct Record {
    std::byte *Now;
    const std::byte *Then;
    uint32_t Index; ///< as the file counts
    uint32_t Place; ///< in its chunk
    size_t Size;
  };

  /// Which records of a chunk exist.
  enum class Which { Used, All };

  /// A chunk now and then; null then if it is newer.
  struct Chunk {
    loopscope_chunk_header *Now;
    const loopscope_chunk_header *Then;
    Record record(uint32_t Place) const;
    uint32_t count(Which Records, size_t Extra = 0) const;
  };

  /// The chunks of \p Type whose records have at least \p Size bytes.
  std::vector<Chunk> chunks(uint32_t Type, size_t Size) const;

  /// Calls \p Visit(now, then or null, index) for the records of \p Type.
  template <typename T, typename Function>
  void each(uint32_t Type, Which Records, Function Visit) {
    for (const Chunk &C : chunks(Type, sizeof(T)))
      for (uint32_t I = 0; I < C.count(Records); ++I) {
        Record R = C.record(I);
        Visit(*reinterpret_cast<T *>(R.Now),
              reinterpret_cast<const T *>(R.Then), R.Index);
      }
  }

  /// Keeps the used records of \p Type for which \p Wanted(record) is true.
  template <typename Function>
  void keep(uint32_t Type, size_t Size, Function Wanted) {
    for (const Chunk &C : chunks(Type, Size)) {
      uint32_t Kept = 0;
      uint32_t Count = C.count(Which::Used);
      for (uint32_t I = 0; I < Count; ++I) {
        Record R = C.record(I);
        if (Wanted(R))
          std::memmove(C.record(Kept++).Now, R.Now, R.Size);
      }
      C.Now->used = Kept;
    }
  }

private:
  loopscope_profile_header *Header;
  const loopscope_profile_header *Earlier;
  std::vector<Chunk> Chunks;
};

/// A - B, or 0.
inline uint64_t lessBy(uint64_t A, uint64_t B) { return A > B ? A - B : 0; }

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_TWOPROFILES_H
