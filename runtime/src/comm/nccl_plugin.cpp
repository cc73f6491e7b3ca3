// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plug-in, in each version that NCCL may look for. An operation is
// described by its start event; the rest isn't recorded, so its handle is null,
// and NCCL never reports about it again.

#include "nccl.h"
#include "nccl_abi.h"
#include "nccl_events.h"

using namespace loopscope::runtime;
using namespace loopscope::runtime::nccl;

namespace {
// For versions whose events name their communicator.
Result initUnnamed(void **Context, int *Mask) {
  *Context = nullptr;
  *Mask = wantedEvents(false);
  return Success;
}

Result init(void **Context, uint64_t Hash, int *Mask, const char *Name,
            int Ranks, bool HasCopies) {
  *Context = records() ? findCommunicator(Hash, Ranks, Name) : nullptr;
  *Mask = wantedEvents(HasCopies);
  return Success;
}

Result initV4(void **Context, int *Mask, const char *Name, uint64_t Hash,
              int /*Nodes*/, int Ranks, int /*Rank*/, void * /*Log*/) {
  return init(Context, Hash, Mask, Name, Ranks, false);
}

Result initV6(void **Context, uint64_t Hash, int *Mask, const char *Name,
              int /*Nodes*/, int Ranks, int /*Rank*/, void * /*Log*/) {
  return init(Context, Hash, Mask, Name, Ranks, true);
}

template <typename Descriptor>
Result startEvent(void *Context, void **Event, void *Description) {
  const auto &D = *static_cast<const Descriptor *>(Description);
  *Event = D.Type == Group ? groupHandle() : nullptr;
  recordEvent(static_cast<Communicator *>(Context), D);
  return Success;
}

Result stopEvent(void * /*Event*/) { return Success; }
Result recordEventState(void * /*Event*/, int /*State*/, void * /*Arguments*/) {
  return Success;
}
Result finalize(void * /*Context*/) { return Success; }
} // namespace

// The symbols that NCCL looks for in the program. Weak, so that a program may
// have its own plug-in.
extern "C" {
#define LOOPSCOPE_EXPORTED __attribute__((weak, visibility("default")))
LOOPSCOPE_EXPORTED PluginV2 ncclProfiler_v2 = { // NOLINT: NCCL's name
    "Loopscope", initUnnamed,      startEvent<DescriptorV2>,
    stopEvent,   recordEventState, finalize};
LOOPSCOPE_EXPORTED PluginV2 ncclProfiler_v3 = { // NOLINT: NCCL's name
    "Loopscope", initUnnamed,      startEvent<DescriptorV2>,
    stopEvent,   recordEventState, finalize};
LOOPSCOPE_EXPORTED PluginV4 ncclProfiler_v4 = { // NOLINT: NCCL's name
    "Loopscope", initV4,           startEvent<DescriptorV4>,
    stopEvent,   recordEventState, finalize};
LOOPSCOPE_EXPORTED PluginV6 ncclProfiler_v6 = { // NOLINT: NCCL's name
    "Loopscope", initV6,           startEvent<DescriptorV6>,
    stopEvent,   recordEventState, finalize};
}

void *nccl::groupHandle() {
  static char Any;
  return &Any;
}

bool nccl::isOurPlugin() { return ncclProfiler_v6.Init == initV6; }
