// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the wrappers of MPI's functions call, of whichever copy of the runtime
// records in this process.
//
//   a wrapper -> __loopscope_mpi_X of its own copy -> the same of the copy that
//                                                     records (core/objects.h)

#ifndef LOOPSCOPE_COMM_MPI_H
#define LOOPSCOPE_COMM_MPI_H

#include <loopscope/mpi.h>

namespace loopscope::runtime {

/// This room's name among the extensions; it stands in copies of the runtime
/// that find each other.
constexpr const char *CommExtensionName = "comm";

/// What copies give each other, by the functions' names in loopscope/mpi.h.
struct MpiServices {
  uint64_t Size; ///< of this struct; another one is another version
  decltype(&__loopscope_mpi_records) Records;
  decltype(&__loopscope_mpi_rank) Rank;
  decltype(&__loopscope_mpi_bytes) Bytes;
  decltype(&__loopscope_mpi_node) Node;
  decltype(&__loopscope_mpi_peer) Peer;
  decltype(&__loopscope_mpi_now) Now;
  decltype(&__loopscope_mpi_request) Request;
  decltype(&__loopscope_merge_begin) MergeBegin;
  decltype(&__loopscope_merge_place) MergePlace;
  decltype(&__loopscope_merge_whole) MergeWhole;
  decltype(&__loopscope_merge_end) MergeEnd;
};

/// Those of this copy. The extension's entry point.
const MpiServices *mpiServices();

/// Those of the copy that records, when that is another one, else null.
const MpiServices *otherMpi();

/// At the end of a run: counts it when the program used MPI and none of its
/// calls came to a wrapper.
void registerMpi();
void noticeUnseenMpi();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_COMM_MPI_H
