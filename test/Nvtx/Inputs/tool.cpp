// An NVTX tool that logs its calls to the file in NVTX_LOG: a line per call,
// with the number of the thread in order of appearance.
// NVTX_TOOL=refuse: refuses clients. NVTX_TOOL=old: without domains.
// NVTX_TOOL=none: without any ranges.
#include "nvtx/abi.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace loopscope::runtime;

namespace {
int Threads = 0;
thread_local int Thread = 0;
thread_local int Depth = 0;

void log(const char *What, const char *Name) {
  if (Thread == 0)
    Thread = __atomic_add_fetch(&Threads, 1, __ATOMIC_RELAXED);
  FILE *File = std::fopen(std::getenv("NVTX_LOG"), "a");
  std::fprintf(File, "%d:%*s%s %s\n", Thread, Depth * 2 + 1, "", What, Name);
  std::fclose(File);
}

void *createDomain(const char *Name) {
  log("domain", Name);
  return const_cast<char *>("the domain");
}

int pushRange(void *Domain, const nvtx::Attributes *Event) {
  bool Good = !std::strcmp(static_cast<char *>(Domain), "the domain") &&
              Event->Version == 3 && Event->Size == 48 &&
              Event->MessageType == nvtx::Ascii;
  log(Good ? "push" : "BAD", static_cast<const char *>(Event->Message));
  return Depth++;
}

int pushPlain(const char *Name) {
  log("plain", Name);
  return Depth++;
}

int popRange(void * /*Domain*/) {
  if (Depth == 0)
    log("BAD", "pop");
  else
    --Depth;
  log("pop", "");
  return Depth;
}

int popPlain() { return popRange(nullptr); }

template <typename T> void set(nvtx::Table Table, unsigned Id, T *Function) {
  *Table[Id] = reinterpret_cast<nvtx::Function>(Function);
}
} // namespace

extern "C" int InitializeInjectionNvtx2(nvtx::GetExportTable Get) {
  const char *How = std::getenv("NVTX_TOOL");
  if (How != nullptr && !std::strcmp(How, "refuse"))
    return 0;
  auto *Client =
      static_cast<const nvtx::Callbacks *>(Get(nvtx::CallbacksTable));
  if (Get(99) != nullptr || Client == nullptr)
    return 0;
  // Like real tools, this one asks for every module.
  for (int Module = 1; Module <= nvtx::LastModule; ++Module) {
    nvtx::Table Table = nullptr;
    unsigned Size = 0;
    if (Client->GetModule(Module, &Table, &Size) != 1 || Size < 7)
      return 0;
    for (unsigned I = 1; I < Size; ++I)
      if (*Table[I] != nullptr)
        return 0;
    bool IsOld = How != nullptr && !std::strcmp(How, "old");
    if (Module == nvtx::Core && IsOld) {
      set(Table, nvtx::RangePushA, pushPlain);
      set(Table, nvtx::RangePop, popPlain);
    }
    if (Module != nvtx::Core2 || How != nullptr)
      continue;
    set(Table, nvtx::DomainCreateA, createDomain);
    set(Table, nvtx::DomainRangePushEx, pushRange);
    set(Table, nvtx::DomainRangePop, popRange);
  }
  return 1;
}
