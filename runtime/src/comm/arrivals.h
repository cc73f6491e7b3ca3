// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ranks have come to MPI_Finalize, by the profiles in this one's folder.
//
// MPI can't say that without all of them. Profiles can, where ranks share a
// host and a folder: those of others are unknown.

#ifndef LOOPSCOPE_COMM_ARRIVALS_H
#define LOOPSCOPE_COMM_ARRIVALS_H

#include "base/system.h"

#include <stdint.h>

namespace loopscope::runtime {

/// What is known of a rank.
enum class Arrival : uint8_t {
  Unknown, ///< it has no profile here
  Unsure,  ///< it has one, and may come to MPI_Finalize or not
  Late, ///< runs, records MPI as this process does, and isn't in MPI_Finalize
  Ended,
  Here ///< is in MPI_Finalize
};

class Arrivals {
public:
  /// This process, one of RANKS, has come to MPI_Finalize.
  void begin(uint32_t Ranks);

  /// Whether to go on waiting for the others, after NS of it. Looks at the
  /// profiles now and then, and says for whom it waits after a while.
  bool isWorthwhile(uint64_t Ns);

  /// Why isWorthwhile() returned false: a sentence for people, if this process
  /// is the one to say it, else nothing.
  void explain(Text &Why) const;

private:
  void look();
  void readProfile(int Folder, const char *Name);
  uint32_t count(Arrival Of) const;
  void appendRanks(Arrival Of, Text &To) const;
  uint32_t unsettled() const {
    return count(Arrival::Unknown) + count(Arrival::Unsure);
  }
  bool isFirstHere() const;
  bool isElsewhereUnlikely() const;

  uint32_t Ranks = 0;
  struct Known {
    int64_t Start; // of the process; the last one with this rank counts
    Arrival Is;
  };
  Known *Of = nullptr;   // by rank; null: nothing will be known
  uint64_t NextLook = 0; // in ns of waiting
  uint64_t AllHere = 0;  // since when all known ranks are here; 0: they aren't
  bool HasSaid = false;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_COMM_ARRIVALS_H
