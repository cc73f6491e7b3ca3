// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns NCCL's events of any version into operations.

#ifndef LOOPSCOPE_COMM_NCCL_EVENTS_H
#define LOOPSCOPE_COMM_NCCL_EVENTS_H

#include "nccl.h"
#include "nccl_abi.h"

#include "process/process.h"

namespace loopscope::runtime::nccl {

/// Whether operations are recorded now.
inline bool records() { return Wanted && startRuntime(); }

/// The events to ask for. HAS_COPIES: the version has events for copy engines.
inline int wantedEvents(bool HasCopies) {
  if (!records())
    return 0;
  return static_cast<int>(Collective | PointToPoint |
                          (HasCopies ? CopyCollective : 0U));
}

/// The handle for groups, if no other plug-in gets them; never null.
void *groupHandle();

/// The communicator of an event: the one that it names, or ON, its context's.
template <typename Part>
Communicator *communicatorOf(Communicator *On, const Part &P) {
  if constexpr (requires { P.Hash; })
    return findCommunicator(P.Hash, 0, P.Name);
  else
    return On;
}

/// The number of an operation; sends and receives have none.
template <typename Part> uint64_t sequenceOf(const Part &P) {
  if constexpr (requires { P.Sequence; })
    return P.Sequence;
  else
    return 0;
}

template <typename Descriptor, typename Part>
void recordPart(Communicator *On, const Descriptor &D, const Part &P) {
  record(communicatorOf(On, P), {P.Function, P.Datatype, P.Count, sequenceOf(P),
                                 D.Rank, D.Type != uint64_t(CopyCollective)});
}

/// Records the operation that event D starts, if any. ON is the communicator of
/// the event's context.
template <typename Descriptor>
void recordEvent(Communicator *On, const Descriptor &D) {
  uint64_t Type = D.Type;
  constexpr uint64_t Told = Group | Collective | PointToPoint | CopyCollective;
  if ((Type & Told) == 0 || !records())
    return;
  if (Type == Group)
    beginKernel();
  else if (Type == Collective || Type == CopyCollective)
    recordPart(On, D, D.Collective);
  else if (Type == PointToPoint)
    recordPart(On, D, D.PointToPoint);
}

} // namespace loopscope::runtime::nccl

#endif // LOOPSCOPE_COMM_NCCL_EVENTS_H
