// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communicators, and the sites of calls on them.
//
// A communicator's name is the same on all its ranks and unique among
// communicators: a hash of its ranks in MPI_COMM_WORLD, and how many
// communicators of these ranks there were before. The name is the file of the
// span's site. So each function has one site per communicator, and reports
// match the calls of one communicator by their number.
//
// All functions are thread safe, and call only PMPI_ functions and the runtime.

#ifndef LOOPSCOPE_MPI_COMMUNICATORS_H
#define LOOPSCOPE_MPI_COMMUNICATORS_H

#include "requests.h"

#include <loopscope/loopscope.h>

namespace loopscope::mpi {

struct Function;

struct Communicator {
  Word Handle; // 0: the entry is free
  int Ranks;
  int Rank;       // the caller's
  uint64_t Group; // hash of the communicator's ranks
  char Name[48];
  int *World;    // each rank's rank in the world; null: unknown
  uint32_t Uses; // how often this entry has been reused
  bool IsOther;  // it shares its name
};

/// The index of a valid communicator, perhaps new; -1 if it can't be told from
/// others (an intercommunicator, or too many).
int findCommunicator(Word Passed);

/// The communicator at such an index; valid while the program has it.
const Communicator &communicatorAt(int At);

/// The new communicator of a call whose request hasn't ended, so that MPI must
/// not be asked about it: it has the ranks of the one at index OF, or is left
/// out if that is -1.
void addDuplicate(Word Handle, int Of);

/// The program frees it.
void forgetCommunicator(Word Passed);

/// The world rank of the RANK of the communicator at index AT; NoPeer if there
/// is none or it is unknown.
int worldRank(int At, int Rank);

/// The site of a function's calls on the communicator at index AT, -1: on none;
/// null if there are too many.
const loopscope_site *siteOf(const Function &Of, int At);

} // namespace loopscope::mpi

#endif // LOOPSCOPE_MPI_COMMUNICATORS_H
