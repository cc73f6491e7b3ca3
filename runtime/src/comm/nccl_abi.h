// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NCCL's interface for profiler plug-ins, as far as it is used here. NCCL looks
// for the newest version that it knows, then for older ones:
//
//   NCCL 2.24, 2.25: v2   2.26: v3   2.27, 2.28: v4   from 2.29 on: v6
//
// A version's structs never change. Fields that aren't read only keep the
// layout.

#ifndef LOOPSCOPE_COMM_NCCL_ABI_H
#define LOOPSCOPE_COMM_NCCL_ABI_H

#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime::nccl {

/// ncclResult_t: any value other than Success is an error.
using Result = int;
constexpr Result Success = 0;

/// Kinds of events, as bits.
enum Event : uint32_t {
  Group = 1, ///< operations in one kernel
  Collective = 2,
  PointToPoint = 4,
  ProxyOp = 8,
  ProxyStep = 16,
  ProxyControl = 32,
  KernelChannel = 64,
  NetPlugin = 128,
  GroupApi = 256, ///< from here on only in v6
  CollectiveApi = 512,
  PointToPointApi = 1024,
  KernelLaunch = 2048,
  CopyCollective = 4096, ///< a collective that copy engines run
  CopySync = 8192,
  CopyBatch = 16384
};

/// The contents of such an event in each version. Strings are static.
struct CollectiveV2 { // up to Datatype the same in v3
  const char *Name;
  uint64_t Hash; // of the communicator
  uint64_t Sequence;
  const char *Function; // "AllReduce"
  const void *Send;
  void *Receive;
  size_t Count; // of elements
  int Root;
  const char *Datatype; // "ncclFloat32"
};
struct PointToPointV2 { // and v3
  const char *Name;
  uint64_t Hash;
  const char *Function;
  void *Buffer;
  const char *Datatype;
  size_t Count;
  int Peer;
};
struct CollectiveV4 { // and v6
  uint64_t Sequence;
  const char *Function;
  const void *Send;
  void *Receive;
  size_t Count;
  int Root;
  const char *Datatype;
};
struct PointToPointV4 { // and v6
  const char *Function;
  void *Buffer;
  const char *Datatype;
  size_t Count;
  int Peer;
};

/// The start of an event, and the part that depends on its kind: v2 to v4 have
/// the kind in a byte, v6 in a word.
template <typename Kind, typename ForCollective, typename ForPointToPoint>
struct Descriptor {
  Kind Type; // an Event
  void *Parent;
  int Rank; // in the communicator
  union {
    ForCollective Collective; // also for CopyCollective
    ForPointToPoint PointToPoint;
  };
};
using DescriptorV2 = Descriptor<uint8_t, CollectiveV2, PointToPointV2>;
using DescriptorV4 = Descriptor<uint8_t, CollectiveV4, PointToPointV4>;
using DescriptorV6 = Descriptor<uint64_t, CollectiveV4, PointToPointV4>;
static_assert(sizeof(void *) != 8 ||
              (offsetof(DescriptorV2, Collective) == 24 &&
               offsetof(CollectiveV2, Count) == 48 &&
               offsetof(CollectiveV2, Datatype) == 64 &&
               offsetof(PointToPointV2, Count) == 40 &&
               offsetof(DescriptorV4, Collective) == 24 &&
               offsetof(CollectiveV4, Count) == 32 &&
               offsetof(CollectiveV4, Datatype) == 48 &&
               offsetof(PointToPointV4, Count) == 24 &&
               offsetof(DescriptorV6, Collective) == 24));

/// The functions of a plug-in. An event's handle may be null, but for a Group
/// with a null handle NCCL 2.24 reports no operations.
template <typename InitFunction> struct Plugin {
  const char *Name;
  InitFunction *Init;
  Result (*StartEvent)(void *Context, void **Event, void *Descriptor);
  Result (*StopEvent)(void *Event);
  Result (*RecordEventState)(void *Event, int State, void *Arguments);
  Result (*Finalize)(void *Context);
};
/// Init: an error means that the communicator gets no profiler. MASK selects
/// events for the whole process: the last call counts.
using InitV2 = Result(void **Context, int *Mask);
using InitV4 = Result(void **Context, int *Mask, const char *Name,
                      uint64_t Hash, int Nodes, int Ranks, int Rank, void *Log);
using InitV6 = Result(void **Context, uint64_t Hash, int *Mask,
                      const char *Name, int Nodes, int Ranks, int Rank,
                      void *Log);
using PluginV2 = Plugin<InitV2>; // and v3
using PluginV4 = Plugin<InitV4>;
using PluginV6 = Plugin<InitV6>;

} // namespace loopscope::runtime::nccl

#endif // LOOPSCOPE_COMM_NCCL_ABI_H
