// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of NCCL, which tells them to a profiler plug-in:
//
//   nccl_search.cpp      NCCL is loaded -> NCCL_PROFILER_PLUGIN=STATIC_PLUGIN
//   nccl_conf.cpp        what its configuration files say of that
//   nccl_plugin.cpp      the plug-in, which NCCL then finds in the program
//   nccl_named.cpp       or another plug-in, of the user's, beside which we
//   record nccl_operations.cpp  an operation -> a span below the phase that
//   called it
//
// NCCL tells an operation when it has put it on the device, so a span's time is
// no time of the operation. Communicators are part of the span's site, as with
// MPI's calls.

#ifndef LOOPSCOPE_COMM_NCCL_H
#define LOOPSCOPE_COMM_NCCL_H

#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime::nccl {

/// LOOPSCOPE=nccl=auto: operations are recorded.
extern bool Wanted;

/// Registers the counter and the sums.
void registerOperations();

/// Has NCCL take our plug-in, where NCCL is loaded and no other one is named.
/// On a thread of the program's.
void look();

/// The plug-in that NCCL's configuration files name, for as long as the process
/// lives; null: none. One thread, once.
const char *configuredPlugin();

/// Whether the plug-in that NCCL finds in the program is ours.
bool isOurPlugin();

/// Records what NCCL tells the plug-in NAME, which gets the same calls as
/// without us. False where NCCL would find none by that name, or one of no
/// version that we know. Loads it. NCCL_VERSION as ncclGetVersion() says it.
bool recordBeside(const char *Name, int NcclVersion);

/// A communicator of this process, to which several of its ranks may belong.
/// Lives as long as the process.
struct Communicator;

/// The communicator with this hash, which all its ranks know it by. RANKS is 0
/// where the version doesn't say, NAME the one that the program gave it, else
/// null. Null without memory, and beyond 256 communicators.
Communicator *findCommunicator(uint64_t Hash, int Ranks, const char *Name);

/// What NCCL says of an operation.
struct Operation {
  const char *Function; ///< "AllReduce"
  const char *Datatype; ///< "ncclFloat32"
  size_t Count;         ///< of elements
  uint64_t Sequence;    ///< among the communicator's of the same function
  int Rank;             ///< of the communicator
  bool IsOnKernel;      ///< a kernel does it, no copy
};

/// The operations that follow on the calling thread are of the kernel that it
/// launched last.
void beginKernel();

/// Records an operation that the calling thread has put on a device.
void record(Communicator *On, const Operation &What);

/// For a forked child: nobody else is in here.
void resetAfterFork();

} // namespace loopscope::runtime::nccl

#endif // LOOPSCOPE_COMM_NCCL_H
