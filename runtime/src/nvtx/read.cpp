// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tool's side of NVTX, and each thread's open ranges.

#include "read.h"

#include "core/objects.h"
#include "core/process.h"
#include "core/tree.h"
#include "extension.h"
#include "names.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <wchar.h>

using namespace loopscope::runtime;

namespace {
// NVTX's answers of a push or pop that was not recorded.
constexpr int NotTracked = -2;
constexpr int NothingToPop = -1;

// A range that is open, or one that the end of another has ended: its token is
// null then.
struct OpenRange {
  const NvtxName *Domain;
  loopscope_token Token;
};

// The open ranges of a thread, of all domains in order of their pushes.
struct Ranges {
  static constexpr uint32_t Most = 250;
  uint32_t Count;
  uint32_t TooDeep; // pushes beyond Most that haven't been popped
  Ranges *NextFree;
  OpenRange Open[Most];
};

__thread Ranges *Own __attribute__((tls_model("initial-exec"))) = nullptr;

struct ReadState {
  pthread_mutex_t FreeMutex = PTHREAD_MUTEX_INITIALIZER;
  Ranges *FreeRanges = nullptr; // of threads that ended
  uint64_t LastRangeId = 0;     // of a range that isn't recorded
};
constinit ReadState Read;

Ranges *ownRanges() {
  if (Own != nullptr)
    return Own;
  pthread_mutex_lock(&Read.FreeMutex);
  Ranges *R = Read.FreeRanges;
  if (R != nullptr)
    Read.FreeRanges = R->NextFree;
  pthread_mutex_unlock(&Read.FreeMutex);
  if (R == nullptr) {
    void *Memory = mmap(nullptr, sizeof(Ranges), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    R = Memory == MAP_FAILED ? nullptr : static_cast<Ranges *>(Memory);
  }
  Own = R;
  return R;
}

int levelOf(const Ranges &R, const NvtxName *Domain) {
  int Level = 0;
  for (uint32_t I = 0; I < R.Count; ++I)
    Level += R.Open[I].Domain == Domain;
  return Level;
}

int push(const NvtxName *Domain, const NvtxName *Name) {
  Ranges *R = ownRanges();
  if (R == nullptr)
    return NotTracked;
  if (R->Count == Ranges::Most) {
    ++R->TooDeep;
    count(LOOPSCOPE_COUNT_DEPTH_FOLDED);
    return NotTracked;
  }
  int Level = levelOf(*R, Domain);
  R->Open[R->Count++] = {Domain, loopscope_enter(&Name->Site)};
  return Level;
}

int pop(const NvtxName *Domain) {
  Ranges *R = Own;
  if (R == nullptr)
    return NothingToPop;
  if (R->TooDeep != 0) {
    --R->TooDeep;
    return NotTracked;
  }
  uint32_t At = R->Count;
  while (At != 0 && R->Open[At - 1].Domain != Domain)
    --At;
  if (At-- == 0)
    return NothingToPop;
  loopscope_token Token = R->Open[At].Token;
  if (Token != nullptr) {
    for (uint32_t I = At + 1; I < R->Count; ++I)
      R->Open[I].Token = nullptr;
    loopscope_leave(Token);
  }
  --R->Count;
  memmove(R->Open + At, R->Open + At + 1, (R->Count - At) * sizeof(OpenRange));
  return levelOf(*R, Domain);
}

// UTF-8 of TEXT's beginning.
struct Narrow {
  explicit Narrow(const wchar_t *Wide) {
    size_t Used = 0;
    for (; *Wide != 0 && Used + 4 < sizeof(Text); ++Wide) {
      uint32_t Code = 0;
      memcpy(&Code, Wide, sizeof(Code)); // wchar_t may be signed
      auto Add = [&](uint32_t Byte) { Text[Used++] = static_cast<char>(Byte); };
      if (Code < 0x80) {
        Add(Code);
      } else if (Code < 0x800) {
        Add(0xc0 | Code >> 6);
        Add(0x80 | (Code & 0x3f));
      } else if (Code < 0x10000) {
        Add(0xe0 | Code >> 12);
        Add(0x80 | (Code >> 6 & 0x3f));
        Add(0x80 | (Code & 0x3f));
      } else {
        Add(0xf0 | (Code >> 18 & 7));
        Add(0x80 | (Code >> 12 & 0x3f));
        Add(0x80 | (Code >> 6 & 0x3f));
        Add(0x80 | (Code & 0x3f));
      }
    }
    Text[Used] = 0;
  }
  char Text[256];
};

const NvtxName *nameOf(const NvtxName *Domain, const char *Text) {
  return internNvtxName(Domain,
                        Text == nullptr || *Text == 0 ? "(unnamed)" : Text);
}

const NvtxName *nameOf(const NvtxName *Domain, const wchar_t *Text) {
  return nameOf(Domain, Text == nullptr ? nullptr : Narrow(Text).Text);
}

const NvtxName *nameOf(const NvtxName *Domain, const nvtx::Attributes *Event) {
  if (Event == nullptr || Event->Size < sizeof(*Event) ||
      Event->Message == nullptr)
    return nameOf(Domain, "");
  switch (Event->MessageType) {
  case nvtx::Ascii:
    return nameOf(Domain, static_cast<const char *>(Event->Message));
  case nvtx::Unicode:
    return nameOf(Domain, static_cast<const wchar_t *>(Event->Message));
  case nvtx::Registered:
    if (isNvtxName(Event->Message))
      return static_cast<const NvtxName *>(Event->Message);
    [[fallthrough]];
  default:
    return nameOf(Domain, "");
  }
}

// A domain's handle; anything that isn't one stands for the default domain.
const NvtxName *domainOf(const void *Handle) {
  return Handle != nullptr && isNvtxName(Handle)
             ? static_cast<const NvtxName *>(Handle)
             : nullptr;
}

uint64_t leaveOut() {
  count(LOOPSCOPE_COUNT_NVTX_LEFT_OUT);
  return __atomic_add_fetch(&Read.LastRangeId, 1, __ATOMIC_RELAXED);
}

int pushEx(const nvtx::Attributes *Event) {
  return push(nullptr, nameOf(nullptr, Event));
}
int pushA(const char *Text) { return push(nullptr, nameOf(nullptr, Text)); }
int pushW(const wchar_t *Text) { return push(nullptr, nameOf(nullptr, Text)); }
int popDefault() { return pop(nullptr); }
uint64_t startEx(const nvtx::Attributes * /*Event*/) { return leaveOut(); }
uint64_t startA(const char * /*Text*/) { return leaveOut(); }
uint64_t startW(const wchar_t * /*Text*/) { return leaveOut(); }

int domainPush(const void *Handle, const nvtx::Attributes *Event) {
  const NvtxName *Domain = domainOf(Handle);
  return push(Domain, nameOf(Domain, Event));
}
int domainPop(const void *Handle) { return pop(domainOf(Handle)); }
uint64_t domainStart(const void * /*Handle*/,
                     const nvtx::Attributes * /*Event*/) {
  return leaveOut();
}
const void *registerA(const void *Handle, const char *Text) {
  return nameOf(domainOf(Handle), Text);
}
const void *registerW(const void *Handle, const wchar_t *Text) {
  return nameOf(domainOf(Handle), Text);
}
const void *createA(const char *Text) { return nameOf(nullptr, Text); }
const void *createW(const wchar_t *Text) { return nameOf(nullptr, Text); }

template <typename Function>
void set(nvtx::Table Table, unsigned Size, unsigned Id, Function *Ours) {
  if (Id < Size && Table[Id] != nullptr)
    *Table[Id] = reinterpret_cast<nvtx::Function>(Ours);
}
} // namespace

// What the NVTX headers look for; they define it too, weakly and as null.
extern "C" {
__attribute__((visibility("default"),
               used)) nvtx::Initialize InitializeInjectionNvtx2_fnptr =
    attachToRuntime; // NOLINT: NVIDIA's name
}

int loopscope::runtime::attachToRuntime(nvtx::GetExportTable GetTable) {
  const Entries *Other = otherRuntime();
  if (Other == nullptr)
    return attachNvtxClient(GetTable);
  EntryPoint Attach = Other->FindEntry(NvtxExtensionName);
  return Attach == nullptr
             ? 0
             : reinterpret_cast<decltype(&attachNvtxClient)>(Attach)(GetTable);
}

int loopscope::runtime::attachNvtxClient(nvtx::GetExportTable GetTable) {
  if (!startRuntime() || NvtxSettings.Use != NvtxUse::Read ||
      GetTable == nullptr)
    return 0;
  const auto *Client =
      static_cast<const nvtx::Callbacks *>(GetTable(nvtx::CallbacksTable));
  if (Client == nullptr || Client->Size < sizeof(nvtx::Callbacks) ||
      Client->GetModule == nullptr)
    return 0;
  nvtx::Table Table = nullptr;
  unsigned Size = 0;
  if (Client->GetModule(nvtx::Core, &Table, &Size) == 1) {
    set(Table, Size, nvtx::RangePushEx, pushEx);
    set(Table, Size, nvtx::RangePushA, pushA);
    set(Table, Size, nvtx::RangePushW, pushW);
    set(Table, Size, nvtx::RangePop, popDefault);
    set(Table, Size, nvtx::RangeStartEx, startEx);
    set(Table, Size, nvtx::RangeStartA, startA);
    set(Table, Size, nvtx::RangeStartW, startW);
  }
  if (Client->GetModule(nvtx::Core2, &Table, &Size) == 1) {
    set(Table, Size, nvtx::DomainRangePushEx, domainPush);
    set(Table, Size, nvtx::DomainRangePop, domainPop);
    set(Table, Size, nvtx::DomainRangeStartEx, domainStart);
    set(Table, Size, nvtx::DomainRegisterStringA, registerA);
    set(Table, Size, nvtx::DomainRegisterStringW, registerW);
    set(Table, Size, nvtx::DomainCreateA, createA);
    set(Table, Size, nvtx::DomainCreateW, createW);
  }
  return 1;
}

void loopscope::runtime::startReadingNvtx() {
  const char *Path = secure_getenv("NVTX_INJECTION64_PATH");
  if (Path == nullptr)
    return;
  // See injection.cpp.
  bool IsOurs = strstr(Path, "libloopscope-nvtx.so") != nullptr;
  bool Reads = NvtxSettings.Use == NvtxUse::Read;
  if (Reads && !IsOurs)
    warn("nvtx=read: NVTX_INJECTION64_PATH names another tool, which gets the "
         "program's ranges; unset it to read them");
  else if (IsOurs && !Reads)
    warn("NVTX_INJECTION64_PATH names Loopscope's library, which reads ranges "
         "with LOOPSCOPE=nvtx=read only");
}

void loopscope::runtime::endNvtxThread() {
  Ranges *R = Own;
  if (R == nullptr)
    return;
  Own = nullptr;
  R->Count = R->TooDeep = 0;
  pthread_mutex_lock(&Read.FreeMutex);
  R->NextFree = Read.FreeRanges;
  Read.FreeRanges = R;
  pthread_mutex_unlock(&Read.FreeMutex);
}

void loopscope::runtime::resetNvtxAfterFork() {
  pthread_mutex_init(&Read.FreeMutex, nullptr);
  Read.FreeRanges = nullptr;
  if (Own != nullptr)
    Own->Count = Own->TooDeep = 0;
  unlockNvtxNames();
}
