// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NCCL reads NCCL_PROFILER_PLUGIN when the first communicator is made. If
// neither that nor NCCL's configuration names a plug-in, and none has NCCL's
// default name, NCCL gets ours: the variable is added to a copy of the
// environment, which replaces the original in one store, so that a concurrent
// reader sees either of them.

#include "nccl.h"

#include "base/loaded.h"
#include "base/memory.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

using namespace loopscope::runtime;

bool nccl::Wanted = true;

namespace {
constexpr char Variable[] = "NCCL_PROFILER_PLUGIN=";
char Entry[] = "NCCL_PROFILER_PLUGIN=STATIC_PLUGIN";

struct SearchState {
  uint64_t Looked; // number of loaded objects at the last look
  uint32_t IsDone; // never look again
};
constinit SearchState State = {};

using GetVersion = int (*)(int *);

bool mayBeNccl(const link_map &Object) {
  // The program, which exports the function if NCCL is in it. A weak reference
  // would fail to link beside a library that leaves NCCL undefined.
  if (*Object.l_name == 0)
    return true;
  const char *Slash = strrchr(Object.l_name, '/');
  const char *Name = Slash == nullptr ? Object.l_name : Slash + 1;
  return strncmp(Name, "libnccl.so", strlen("libnccl.so")) == 0;
}

// NCCL's version function; null if NCCL isn't loaded.
GetVersion findNccl() {
  for (const link_map *Each = loaderList(); Each != nullptr;
       Each = Each->l_next)
    if (mayBeNccl(*Each))
      if (void *Found = Symbols(*Each).find("ncclGetVersion"))
        return reinterpret_cast<GetVersion>(Found);
  return nullptr;
}

// The environment's value, or null.
const char *namedPlugin() {
  for (char **Each = environ; Each != nullptr && *Each != nullptr; ++Each)
    if (strncmp(*Each, Variable, sizeof(Variable) - 1) == 0)
      return *Each + sizeof(Variable) - 1;
  return nullptr;
}

// Adds the variable, which isn't set, to the environment.
void addVariable() {
  char **Old = environ;
  size_t Count = 0;
  while (Old != nullptr && Old[Count] != nullptr)
    ++Count;
  auto **New = static_cast<char **>(mapMemory((Count + 2) * sizeof(char *)));
  if (New == nullptr)
    return;
  for (size_t I = 0; I < Count; ++I)
    New[I] = Old[I];
  New[Count] = Entry;
  __atomic_store_n(&environ, New, __ATOMIC_RELEASE);
}

// Whether the first LENGTH letters of NAME equal WORD, ignoring case.
bool isWord(const char *Name, const char *Word, size_t Length) {
  for (size_t I = 0; I < Length; ++I) {
    int C = Name[I] >= 'A' && Name[I] <= 'Z' ? Name[I] | 0x20 : Name[I];
    if (C != Word[I])
      return false;
  }
  return true;
}

// Whether NCCL uses no plug-in, or the program's. NCCL accepts abbreviations of
// these words.
bool needsNothing(const char *Name) {
  constexpr char None[] = "none";
  constexpr char Program[] = "static_plugin";
  size_t Length = strlen(Name);
  return isWord(Name, None, sizeof(None)) ||
         (Length < sizeof(Program) && isWord(Name, Program, Length));
}

void choosePlugin(int Version) {
  const char *Name = namedPlugin();
  if (Name == nullptr)
    Name = nccl::configuredPlugin();
  if (Name == nullptr || *Name == 0) {
    // Its constructors may have named one.
    if (!nccl::recordBeside("libnccl-profiler.so", Version) &&
        Name == nullptr && nccl::isOurPlugin() && namedPlugin() == nullptr)
      addVariable();
  } else if (!needsNothing(Name)) {
    nccl::recordBeside(Name, Version);
  }
}
} // namespace

void nccl::look() {
  if (!Wanted || __atomic_load_n(&State.IsDone, __ATOMIC_RELAXED) != 0)
    return;
  uint64_t Loaded = loadedObjects();
  if (__atomic_exchange_n(&State.Looked, Loaded, __ATOMIC_RELAXED) == Loaded)
    return;
  GetVersion Nccl = findNccl();
  int Version = 0;
  if (Nccl != nullptr &&
      __atomic_exchange_n(&State.IsDone, 1, __ATOMIC_ACQ_REL) == 0 &&
      Nccl(&Version) == 0)
    choosePlugin(Version);
}
