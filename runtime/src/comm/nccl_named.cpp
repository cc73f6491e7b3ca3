// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plug-in of the user's, which NCCL loads and calls as usual: through a
// struct of functions in the plug-in's data. We replace these function pointers
// by our functions, which call the originals and record. So nobody needs to
// know which version NCCL chooses, and child processes see no change.
//
// NCCL reports more than the plug-in asked for, because we ask as well. Events
// that it wouldn't have reported without us aren't passed on.

#include "nccl.h"
#include "nccl_abi.h"
#include "nccl_events.h"

#include "base/loaded.h"
#include "base/memory.h"
#include "base/system.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace loopscope::runtime;
using namespace loopscope::runtime::nccl;

namespace {
// Takes the place of a communicator's context in NCCL. Never freed: NCCL may
// use one after its end.
struct NamedContext {
  void *Theirs;
  Communicator *On;
};
constexpr uint32_t MostContexts = 1U << 16; // 1 MiB

struct NamedState {
  NamedContext *Contexts = nullptr;
  uint32_t Count = 0;
  int Mask = ~0;                   // events that the plug-in asked for last
  bool HasMask = false;            // it has asked
  bool EndsWithoutContext = false; // NCCL finalizes those without one
};
constinit NamedState State;

template <int Version> struct TypesOf {
  using Plugin = PluginV6; // and v5
  using Descriptor = DescriptorV6;
};
template <> struct TypesOf<2> {
  using Plugin = PluginV2; // and v3
  using Descriptor = DescriptorV2;
};
template <> struct TypesOf<3> : TypesOf<2> {};
template <> struct TypesOf<4> {
  using Plugin = PluginV4;
  using Descriptor = DescriptorV4;
};

// The plug-in's own functions.
template <int Version> constinit TypesOf<Version>::Plugin Theirs = {};

// A context of ours; null if there is no room.
NamedContext *newContext() {
  uint32_t At = __atomic_fetch_add(&State.Count, 1, __ATOMIC_RELAXED);
  return At < MostContexts ? State.Contexts + At : nullptr;
}

NamedContext *ownContext(void *Context) {
  auto *Own = static_cast<NamedContext *>(Context);
  return Own >= State.Contexts && Own < State.Contexts + MostContexts ? Own
                                                                      : nullptr;
}

// Whether NCCL would report events of this type according to the plug-in's
// mask. An event also comes if one below it is wanted. Types that we don't ask
// for come only if the plug-in did.
bool isForPlugin(uint64_t Type) {
  constexpr uint32_t Below = ProxyOp | ProxyStep | KernelChannel | NetPlugin;
  constexpr uint32_t Copies = CopyCollective | CopySync | CopyBatch;
  constexpr uint32_t Operations = Collective | PointToPoint | Below;
  auto Mask =
      static_cast<uint32_t>(__atomic_load_n(&State.Mask, __ATOMIC_RELAXED));
  switch (Type) {
  case Group:
    return (Mask & (Group | Operations)) != 0;
  case Collective:
    return (Mask & (Collective | Below)) != 0;
  case PointToPoint:
    return (Mask & (PointToPoint | Below)) != 0;
  case CopyCollective:
    return (Mask & Copies) != 0;
  case GroupApi:
    return (Mask & (GroupApi | CollectiveApi | PointToPointApi | KernelLaunch |
                    Group | Operations | Copies)) != 0;
  case CollectiveApi:
    return (Mask & (CollectiveApi | Collective | Below | Copies)) != 0;
  case PointToPointApi:
    return (Mask & (PointToPointApi | PointToPoint | Below)) != 0;
  default:
    return true;
  }
}

// Calls INIT, the plug-in's init, with its own context and mask.
template <typename Function>
Result initBy(Function Init, void **Context, int *Mask, bool HasCopies,
              Communicator *On) {
  NamedContext *Own = newContext();
  int Asked = State.HasMask ? State.Mask : *Mask;
  if (Own != nullptr)
    *Own = {*Context, On};
  Result Of = Init(Own != nullptr ? &Own->Theirs : Context, &Asked);
  __atomic_store_n(&State.Mask, Asked, __ATOMIC_RELAXED);
  State.HasMask = true;
  *Mask = Asked | wantedEvents(HasCopies);
  if (Own != nullptr)
    *Context = Own;
  return Of;
}

template <int Version> Result initUnnamed(void **Context, int *Mask) {
  return initBy(Theirs<Version>.Init, Context, Mask, false, nullptr);
}

template <int Version>
Result initNamed(void **Context, int *Mask, const char *Name, uint64_t Hash,
                 int Nodes, int Ranks, int Rank, void *Log) {
  return initBy(
      [&](void **To, int *Asked) {
        return Theirs<Version>.Init(To, Asked, Name, Hash, Nodes, Ranks, Rank,
                                    Log);
      },
      Context, Mask, false,
      records() ? findCommunicator(Hash, Ranks, Name) : nullptr);
}

template <int Version>
Result initById(void **Context, uint64_t Hash, int *Mask, const char *Name,
                int Nodes, int Ranks, int Rank, void *Log) {
  return initBy(
      [&](void **To, int *Asked) {
        return Theirs<Version>.Init(To, Hash, Asked, Name, Nodes, Ranks, Rank,
                                    Log);
      },
      Context, Mask, Version >= 6,
      records() ? findCommunicator(Hash, Ranks, Name) : nullptr);
}

template <int Version> auto initOf() {
  if constexpr (Version <= 3)
    return initUnnamed<Version>;
  else if constexpr (Version == 4)
    return initNamed<Version>;
  else
    return initById<Version>;
}

template <int Version>
Result startEvent(void *Context, void **Event, void *Description) {
  const auto &D =
      *static_cast<const TypesOf<Version>::Descriptor *>(Description);
  NamedContext *Own = ownContext(Context);
  Result Of = Success;
  if (isForPlugin(D.Type))
    Of = Theirs<Version>.StartEvent(Own != nullptr ? Own->Theirs : Context,
                                    Event, Description);
  else
    *Event = D.Type == Group ? groupHandle() : nullptr;
  recordEvent(Own != nullptr ? Own->On : nullptr, D);
  return Of;
}

template <int Version> Result stopEvent(void *Event) {
  return Event == groupHandle() ? Success : Theirs<Version>.StopEvent(Event);
}

template <int Version>
Result recordEventState(void *Event, int What, void *Arguments) {
  return Event == groupHandle()
             ? Success
             : Theirs<Version>.RecordEventState(Event, What, Arguments);
}

template <int Version> Result finalize(void *Context) {
  NamedContext *Own = ownContext(Context);
  if (Own == nullptr)
    return Theirs<Version>.Finalize(Context);
  if (Own->Theirs == nullptr && !State.EndsWithoutContext)
    return Success;
  return Theirs<Version>.Finalize(Own->Theirs);
}

// Whether an address lies in an object's data, and whether the loader made it
// read-only after relocation.
struct Place {
  uintptr_t Address;
  bool IsData;
  bool IsReadOnly;
};

int findPlace(dl_phdr_info *Object, size_t /*Size*/, void *To) {
  auto &Of = *static_cast<Place *>(To);
  for (int I = 0; I < Object->dlpi_phnum; ++I) {
    const ElfW(Phdr) &Each = Object->dlpi_phdr[I];
    uintptr_t Start = Object->dlpi_addr + Each.p_vaddr;
    if (Of.Address < Start || Of.Address - Start >= Each.p_memsz)
      continue;
    Of.IsData |= Each.p_type == PT_LOAD && (Each.p_flags & PF_W) != 0;
    Of.IsReadOnly |= Each.p_type == PT_GNU_RELRO;
  }
  return Of.IsData ? 1 : 0;
}

bool protect(void *From, size_t Size, int Rights) {
  auto Page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  auto Begin = reinterpret_cast<uintptr_t>(From) & ~(Page - 1);
  uintptr_t End = reinterpret_cast<uintptr_t>(From) + Size;
  return syscall(SYS_mprotect, Begin, End - Begin, Rights) == 0;
}

template <typename Function> void put(Function &To, Function Ours) {
  if (To != nullptr)
    __atomic_store_n(&To, Ours, __ATOMIC_RELEASE);
}

// Replaces LIBRARY's functions of one version; false if it has none, or if they
// can't be written.
template <int Version> bool take(void *Library, const char *Symbol) {
  using Plugin = TypesOf<Version>::Plugin;
  auto *Found = static_cast<Plugin *>(dlsym(Library, Symbol));
  Place At = {reinterpret_cast<uintptr_t>(Found), false, false};
  if (Found == nullptr || Found->Init == initOf<Version>())
    return Found != nullptr;
  dl_iterate_phdr(findPlace, &At);
  if (!At.IsData || (At.IsReadOnly &&
                     !protect(Found, sizeof(*Found), PROT_READ | PROT_WRITE)))
    return false;
  Theirs<Version> = *Found;
  put(Found->StopEvent, stopEvent<Version>);
  put(Found->RecordEventState, recordEventState<Version>);
  put(Found->Finalize, finalize<Version>);
  put(Found->StartEvent, startEvent<Version>);
  put(Found->Init, initOf<Version>());
  if (At.IsReadOnly)
    protect(Found, sizeof(*Found), PROT_READ);
  return true;
}

bool takeAll(void *Library) {
  bool Any = take<2>(Library, "ncclProfiler_v2");
  Any |= take<3>(Library, "ncclProfiler_v3");
  Any |= take<4>(Library, "ncclProfiler_v4");
  Any |= take<5>(Library, "ncclProfiler_v5");
  Any |= take<6>(Library, "ncclProfiler_v6");
  return Any;
}

// Opens the plug-in as NCCL does.
void *openPlugin(const char *Name) {
  void *Library = dlopen(Name, RTLD_NOW | RTLD_LOCAL); // NOLINT: as NCCL does
  if (Library != nullptr || strchr(Name, '/') != nullptr)
    return Library;
  TextBuffer<512> Whole;
  Whole << "libnccl-profiler-" << Name << ".so";
  return Whole.isCut() ? nullptr
                       : dlopen(Whole.c_str(), RTLD_NOW | RTLD_LOCAL); // NOLINT
}
} // namespace

bool nccl::recordBeside(const char *Name, int NcclVersion) {
  constexpr int FirstThatAsks = 22800;
  State.EndsWithoutContext = NcclVersion < FirstThatAsks;
  if (State.Contexts == nullptr)
    State.Contexts = static_cast<NamedContext *>(
        reserveMemory(MostContexts * sizeof(NamedContext)));
  void *Library = State.Contexts == nullptr ? nullptr : openPlugin(Name);
  if (Library == nullptr)
    return false;
  if (takeAll(Library))
    return true; // the library stays loaded
  dlclose(Library);
  return false;
}
