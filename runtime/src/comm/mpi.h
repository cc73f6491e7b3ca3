// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Connects the wrappers of MPI and of Gloo's operations to the copy of the
// runtime that records in this process.
//
//   a wrapper -> __loopscope_mpi_X of its own copy -> the same of the copy that
//                                                     records (base/objects.h)

#ifndef LOOPSCOPE_COMM_MPI_H
#define LOOPSCOPE_COMM_MPI_H

#include <loopscope/mpi.h>

namespace loopscope::runtime {

/// This extension's name, which copies of the runtime use to find each other's
/// entry point.
constexpr const char *CommExtensionName = "comm";

/// The functions that copies share; named like those in loopscope/mpi.h.
struct MpiServices {
  uint64_t Size; ///< of this struct; identifies its version
  decltype(&__loopscope_mpi_records) Records;
  decltype(&__loopscope_mpi_rank) Rank;
  decltype(&__loopscope_mpi_asked) Asked;
  decltype(&__loopscope_mpi_enter_again) EnterAgain;
  decltype(&__loopscope_mpi_bytes) Bytes;
  decltype(&__loopscope_mpi_node) Node;
  decltype(&__loopscope_mpi_peer) Peer;
  decltype(&__loopscope_mpi_await) Await;
  decltype(&__loopscope_mpi_now) Now;
  decltype(&__loopscope_mpi_request) Request;
  decltype(&__loopscope_gloo_records) GlooRecords;
  decltype(&__loopscope_gloo_rank) GlooRank;
  decltype(&__loopscope_merge_begin) MergeBegin;
  decltype(&__loopscope_merge_awaits) MergeAwaits;
  decltype(&__loopscope_merge_base) MergeBase;
  decltype(&__loopscope_merge_packed) MergePacked;
  decltype(&__loopscope_merge_copy) MergeCopy;
  decltype(&__loopscope_merge_place) MergePlace;
  decltype(&__loopscope_merge_chosen) MergeChosen;
  decltype(&__loopscope_merge_whole) MergeWhole;
  decltype(&__loopscope_merge_end) MergeEnd;
};

/// This copy's services. The extension's entry point.
const MpiServices *mpiServices();

/// The services of the copy that records, if that is another one, else null.
const MpiServices *otherMpi();

/// At the end of a run, counts it if the program used MPI although none of its
/// calls came to a wrapper.
void registerMpi();
void noticeUnseenMpi();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_COMM_MPI_H
