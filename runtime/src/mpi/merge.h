// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings the profiles of all ranks to rank 0, in MPI_Finalize, before MPI ends.
//
//            0              each rank has up to 8 below it: a rank sends its
//        1 ... 8            copy and what comes from below, in pieces, up;
//      9..16 ... 65..72     rank 0 writes them, and says down whether all came
//
// On a communicator of our own, so that no message meets one of the program's.
// Nothing blocks: a rank waits ten seconds for all to come to MPI_Finalize and
// ten for their profiles, and then goes on without. A rank holds its own copy
// and a piece for each of those right below it.

#ifndef LOOPSCOPE_MPI_MERGE_H
#define LOOPSCOPE_MPI_MERGE_H

namespace loopscope::mpi {

/// Call it once, on the thread that calls MPI_Finalize, before that call.
void mergeRanks();

} // namespace loopscope::mpi

#endif // LOOPSCOPE_MPI_MERGE_H
