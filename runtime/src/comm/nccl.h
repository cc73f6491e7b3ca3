// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of NCCL, which reports them to a profiler plug-in:
//
//   nccl_search.cpp      NCCL is loaded -> NCCL_PROFILER_PLUGIN=STATIC_PLUGIN
//   nccl_conf.cpp        a plug-in that NCCL's configuration files name
//   nccl_plugin.cpp      the plug-in, which NCCL then finds in the program
//   nccl_named.cpp       or a plug-in of the user's, whose calls are recorded
//   nccl_operations.cpp  an operation -> a span below the calling phase
//
// NCCL reports an operation when it has enqueued it on the device, so a span's
// time isn't the operation's. The communicator is part of the span's site, as
// for MPI calls.

#ifndef LOOPSCOPE_COMM_NCCL_H
#define LOOPSCOPE_COMM_NCCL_H

#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime::nccl {

/// LOOPSCOPE=nccl=auto: operations are recorded.
extern bool Wanted;

/// Registers the counter and the sums.
void registerOperations();

/// Makes NCCL use our plug-in, if NCCL is loaded and no other plug-in is named.
/// Call on a thread of the program.
void look();

/// The plug-in named in NCCL's configuration files, valid for the life of the
/// process; null: none. One thread, once.
const char *configuredPlugin();

/// Whether the plug-in that NCCL finds in the program is ours.
bool isOurPlugin();

/// Records what NCCL reports to the plug-in NAME, which gets the same calls as
/// without us. False if NCCL would find none by that name, or only versions
/// unknown here. Loads the plug-in. NCCL_VERSION is as in ncclGetVersion().
bool recordBeside(const char *Name, int NcclVersion);

/// A communicator of this process; several of its ranks may belong to the
/// process. Valid for the life of the process.
struct Communicator;

/// The communicator with this hash, which is the same on all its ranks. RANKS
/// is 0 if the version doesn't report it; NAME is the program's name for it, or
/// null. Null if out of memory, and beyond 256 communicators.
Communicator *findCommunicator(uint64_t Hash, int Ranks, const char *Name);

/// An operation as NCCL reports it.
struct Operation {
  const char *Function; ///< "AllReduce"
  const char *Datatype; ///< "ncclFloat32"
  size_t Count;         ///< of elements
  uint64_t Sequence;    ///< among the communicator's, per function
  int Rank;             ///< in the communicator
  bool IsOnKernel;      ///< runs in a kernel, not as a copy
};

/// The following operations on the calling thread belong to the kernel that it
/// launched last.
void beginKernel();

/// Records an operation that the calling thread enqueued on a device.
void record(Communicator *On, const Operation &What);

/// For a forked child, which has no other threads.
void resetAfterFork();

} // namespace loopscope::runtime::nccl

#endif // LOOPSCOPE_COMM_NCCL_H
