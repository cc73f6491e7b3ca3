// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profiles of all ranks in one file (loopscope/profile_format_merged.h).
// Each rank copies its own profile; the communication layer brings the copies
// to rank 0, in pieces and in any order, and rank 0 writes them. A second copy
// of a rank takes the place of its first.

#ifndef LOOPSCOPE_COMM_MERGED_FILE_H
#define LOOPSCOPE_COMM_MERGED_FILE_H

#include "base/system.h"

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// A copy of this process's profile, in memory of its own.
struct ProfileCopy {
  char *Bytes = nullptr; ///< null: no profile, or out of memory
  uint64_t Size = 0;
  uint64_t Mapped = 0; ///< bytes of memory
  void release();
};

/// Copies the profile as it is now for a run of RANKS ranks. Takes the slow
/// lock.
ProfileCopy copyProfile(uint64_t Ranks);
/// A brief copy of it, with SAMPLES of each loop's steps at most.
ProfileCopy copyBriefly(uint32_t Samples);

/// A part of a rank's copy, which has SIZE bytes in all.
struct CopyPiece {
  uint32_t Rank;
  uint64_t Size;
  uint64_t Offset; ///< of the part in the copy
  const char *Bytes;
  uint64_t Count;
};

/// Rank 0's merged file. One at a time.
class MergedFile {
public:
  /// Creates it for RANKS ranks, under the name that the profile would have in
  /// a run of one process with output=OUTPUT. BASE is what packed copies refer
  /// to; empty: there are none. False: WHY says why not.
  bool open(uint32_t Ranks, const char *Output, const ProfileCopy &Base,
            Text &Why);
  /// Writes a piece. False: the piece is invalid or can't be written (WHY says
  /// why), and the file has been removed.
  bool add(const CopyPiece &Piece, Text &Why);
  /// Closes the file; returns the number of complete ranks. With fewer than two
  /// the file is removed, and the result is 0.
  uint32_t finish();
  const char *path() const { return Path; }

private:
  bool fail(int Error, Text &Why);
  bool write(const void *Data, uint64_t Size, uint64_t Offset);
  uint64_t placeFor(const CopyPiece &Piece) const;

  char Path[1024] = "";
  int Descriptor = -1;
  uint32_t Ranks = 0;
  uint32_t Whole = 0;
  uint64_t End = 0; // end of the space given out so far
  loopscope_merged_member *Members = nullptr; // in memory
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_COMM_MERGED_FILE_H
