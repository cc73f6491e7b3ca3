// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings the profiles of all ranks to rank 0, in MPI_Finalize, before MPI ends.
//
//            0              each rank has up to 8 below it: a rank sends its
//        1 ... 8            own copy and messages from below up, in pieces;
//      9..16 ... 65..72     rank 0 writes them, and reports whether all came
//
// Uses its own communicator, so that no message meets one of the program's.
// Nothing blocks: a rank waits for all to reach MPI_Finalize as long as they
// may (comm/arrivals.h) and ten seconds since its last progress, and then goes
// on without. A rank holds its own copy and one piece for each rank directly
// below it.

#ifndef LOOPSCOPE_MPI_MERGE_H
#define LOOPSCOPE_MPI_MERGE_H

namespace loopscope::mpi {

/// Call it once, on the thread that calls MPI_Finalize, before that call.
void mergeRanks();

} // namespace loopscope::mpi

#endif // LOOPSCOPE_MPI_MERGE_H
