// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NCCL reads NCCL_PROFILER_PLUGIN when the first communicator is made. The
// variable is added to a copy of the environment, which takes the other's place
// at once: who reads the environment meanwhile sees the one or the other.

#include "nccl.h"

#include "core/loaded.h"
#include "core/system.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

using namespace loopscope::runtime;

// There where NCCL is linked statically.
extern "C" __attribute__((weak)) int ncclGetVersion(int *);

bool nccl::Wanted = true;

namespace {
constexpr char Variable[] = "NCCL_PROFILER_PLUGIN=";
char Entry[] = "NCCL_PROFILER_PLUGIN=STATIC_PLUGIN";

struct SearchState {
  uint64_t Looked; // objects that were loaded at the last look
  uint32_t IsDone; // for good
};
constinit SearchState State = {};

bool isLoaded() {
  if (ncclGetVersion != nullptr)
    return true;
  for (const link_map *Each = loaderList(); Each != nullptr;
       Each = Each->l_next) {
    const char *Slash = strrchr(Each->l_name, '/');
    const char *Name = Slash == nullptr ? Each->l_name : Slash + 1;
    if (strncmp(Name, "libnccl.so", strlen("libnccl.so")) == 0)
      return true;
  }
  return false;
}

// Adds the variable unless there is one.
void choosePlugin() {
  size_t Count = 0;
  char **Old = environ;
  for (; Old != nullptr && Old[Count] != nullptr; ++Count)
    if (strncmp(Old[Count], Variable, sizeof(Variable) - 1) == 0)
      return;
  auto **New = static_cast<char **>(mapMemory((Count + 2) * sizeof(char *)));
  if (New == nullptr)
    return;
  for (size_t I = 0; I < Count; ++I)
    New[I] = Old[I];
  New[Count] = Entry;
  __atomic_store_n(&environ, New, __ATOMIC_RELEASE);
}
} // namespace

void nccl::look() {
  if (!Wanted || __atomic_load_n(&State.IsDone, __ATOMIC_RELAXED) != 0)
    return;
  uint64_t Loaded = loadedObjects();
  if (__atomic_exchange_n(&State.Looked, Loaded, __ATOMIC_RELAXED) == Loaded ||
      !isLoaded() ||
      __atomic_exchange_n(&State.IsDone, 1, __ATOMIC_ACQ_REL) != 0)
    return;
  if (isOurPlugin())
    choosePlugin();
}
