// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An NVTX client with the functions that spans need.

#include "emit.h"

#include "abi.h"
#include "base/system.h"
#include "base/thread_memory.h"
#include "extension.h"
#include "profile/node_links.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

using namespace loopscope::runtime;

namespace {
// The tool's functions; null if it lacks one.
struct Slots {
  nvtx::Function Core[nvtx::CoreSize];
  nvtx::Function Core2[nvtx::Core2Size];
  nvtx::Function Others[nvtx::LastModule + 1][16]; // never called
};

using DomainCreate = void *(*)(const char *);
using DomainPush = int (*)(void *, const nvtx::Attributes *);
using DomainPop = int (*)(void *);
using PlainPush = int (*)(const char *);
using PlainPop = int (*)();

// Either the first three are set or, for a tool without domains, the last two.
struct Tool {
  DomainPush Push;
  DomainPop Pop;
  void *Domain;
  PlainPush PushPlain;
  PlainPop PopPlain;
};

struct EmitState {
  Slots Functions = {};
  // Each module's table of pointers to its functions.
  nvtx::Function *Places[nvtx::LastModule + 1][16] = {};
  Tool Attached = {};
  bool Emitting = false;
  pthread_once_t Once = PTHREAD_ONCE_INIT;
};
constinit EmitState Emit;

int getModule(int Module, nvtx::Table *Result, unsigned *Size) {
  if (Module < 1 || Module > nvtx::LastModule)
    return 0;
  nvtx::Function *First = Module == nvtx::Core ? Emit.Functions.Core
                          : Module == nvtx::Core2
                              ? Emit.Functions.Core2
                              : Emit.Functions.Others[Module];
  for (unsigned I = 1; I < 16; ++I)
    Emit.Places[Module][I] = &First[I];
  *Result = Emit.Places[Module];
  if (Size != nullptr)
    *Size = 16;
  return 1;
}

const void *getExportTable(uint32_t Id) {
  static const nvtx::Callbacks Table = {sizeof(nvtx::Callbacks), getModule};
  return Id == nvtx::CallbacksTable ? &Table : nullptr;
}

// Spans of a signal handler that interrupts the tool aren't emitted, neither
// their beginning nor their end.
LOOPSCOPE_PER_THREAD(bool, InTool);

void complain(const char *Path, const char *What) {
  TextBuffer<1024> Message;
  Message << "nvtx=on: " << Path << ' ' << What << "; no ranges are emitted";
  warn(Message.c_str());
}

void attach() {
  const char *Path = secure_getenv("NVTX_INJECTION64_PATH");
  if (Path == nullptr || *Path == 0)
    return;
  void *Library = dlopen(Path, RTLD_LAZY);
  auto Initialize = Library == nullptr
                        ? nullptr
                        : reinterpret_cast<nvtx::Initialize>(
                              dlsym(Library, "InitializeInjectionNvtx2"));
  if (Initialize == nullptr) {
    complain(Path, "can't be loaded as an NVTX tool");
    return;
  }
  if (Initialize(getExportTable) == 0) {
    complain(Path, "refused");
    return;
  }
  auto Create =
      reinterpret_cast<DomainCreate>(Emit.Functions.Core2[nvtx::DomainCreateA]);
  Emit.Attached.Push = reinterpret_cast<DomainPush>(
      Emit.Functions.Core2[nvtx::DomainRangePushEx]);
  Emit.Attached.Pop =
      reinterpret_cast<DomainPop>(Emit.Functions.Core2[nvtx::DomainRangePop]);
  if (Create != nullptr && Emit.Attached.Push != nullptr &&
      Emit.Attached.Pop != nullptr) {
    Emit.Attached.Domain = Create("Loopscope");
    Emit.Emitting = true;
    return;
  }
  // For tools of NVTX 1.
  Emit.Attached.Push = nullptr;
  Emit.Attached.PushPlain =
      reinterpret_cast<PlainPush>(Emit.Functions.Core[nvtx::RangePushA]);
  Emit.Attached.PopPlain =
      reinterpret_cast<PlainPop>(Emit.Functions.Core[nvtx::RangePop]);
  Emit.Emitting =
      Emit.Attached.PushPlain != nullptr && Emit.Attached.PopPlain != nullptr;
  if (!Emit.Emitting)
    complain(Path, "doesn't take ranges");
}

const char *nameOf(const Node *N) {
  const loopscope_site *Site = siteOf(N);
  if (Site != nullptr)
    return Site->__name;
  switch (N->kind) {
  case LOOPSCOPE_KIND_STEP:
    return "step";
  case LOOPSCOPE_KIND_DRAW:
    return "draw";
  default:
    return "batch";
  }
}

void push(const char *Name) {
  if (Emit.Attached.Push == nullptr) {
    Emit.Attached.PushPlain(Name);
    return;
  }
  nvtx::Attributes Range{};
  Range.Version = 3;
  Range.Size = sizeof(Range);
  Range.MessageType = nvtx::Ascii;
  Range.Message = Name;
  Emit.Attached.Push(Emit.Attached.Domain, &Range);
}

void pop() {
  if (Emit.Attached.Push == nullptr)
    Emit.Attached.PopPlain();
  else
    Emit.Attached.Pop(Emit.Attached.Domain);
}
} // namespace

bool loopscope::runtime::startEmitting() {
  if (NvtxSettings.Use == NvtxUse::Emit)
    pthread_once(&Emit.Once, attach);
  return Emit.Emitting;
}

uint64_t loopscope::runtime::emitBegin(const Node *N, uint64_t /*Now*/) {
  if (*InTool)
    return 0;
  *InTool = true;
  push(nameOf(N));
  *InTool = false;
  return 0;
}

uint64_t loopscope::runtime::emitEnd(const Node * /*N*/, uint64_t /*Now*/) {
  if (*InTool)
    return 0;
  *InTool = true;
  pop();
  *InTool = false;
  return 0;
}
