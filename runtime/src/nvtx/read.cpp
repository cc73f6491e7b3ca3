// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tool's side of NVTX.

#include "read.h"

#include "base/objects.h"
#include "base/system.h"
#include "extension.h"
#include "process/free_ranges.h"
#include "process/process.h"
#include "profile/counts.h"
#include "tree/open_ranges.h"
#include "tree/span_names.h"

#include <loopscope/profile_counters.h>

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

using namespace loopscope::runtime;

namespace {
const SpanName OtherRanges = {
    0,
    {LOOPSCOPE_SITE_ABI, LOOPSCOPE_KIND_PHASE, 0, "(other ranges)", "NVTX", ""},
    nullptr};
constinit SpanNames Names(OtherRanges);

int push(const SpanName *Domain, const SpanName *Name) {
  return pushRange(Domain, &Name->Site);
}

// Converts the beginning of TEXT to UTF-8.
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

const SpanName *nameOf(const SpanName *Domain, const char *Text) {
  const SpanName *Name =
      Names.intern(Domain, Text == nullptr || *Text == 0 ? "(unnamed)" : Text);
  if (Names.isOther(Name))
    count(LOOPSCOPE_COUNT_NVTX_UNNAMED);
  return Name;
}

const SpanName *nameOf(const SpanName *Domain, const wchar_t *Text) {
  return nameOf(Domain, Text == nullptr ? nullptr : Narrow(Text).Text);
}

const SpanName *nameOf(const SpanName *Domain, const nvtx::Attributes *Event) {
  if (Event == nullptr || Event->Size < sizeof(*Event) ||
      Event->Message == nullptr)
    return nameOf(Domain, "");
  switch (Event->MessageType) {
  case nvtx::Ascii:
    return nameOf(Domain, static_cast<const char *>(Event->Message));
  case nvtx::Unicode:
    return nameOf(Domain, static_cast<const wchar_t *>(Event->Message));
  case nvtx::Registered:
    if (Names.has(Event->Message))
      return static_cast<const SpanName *>(Event->Message);
    [[fallthrough]];
  default:
    return nameOf(Domain, "");
  }
}

// A domain's handle; any other address means the default domain.
const SpanName *domainOf(const void *Handle) {
  return Handle != nullptr && Names.has(Handle)
             ? static_cast<const SpanName *>(Handle)
             : nullptr;
}

uint64_t start(const SpanName *Name) {
  uint64_t Id = startFreeRange(Name);
  if (Id == 0)
    count(LOOPSCOPE_COUNT_NVTX_LEFT_OUT);
  return Id;
}

// Ranges that weren't recorded have 0.
void end(uint64_t Id) {
  if (Id != 0 && endFreeRange(Id) == RangeEnd::NoRange)
    count(LOOPSCOPE_COUNT_STRAY_END);
}

int pushEx(const nvtx::Attributes *Event) {
  return push(nullptr, nameOf(nullptr, Event));
}
int pushA(const char *Text) { return push(nullptr, nameOf(nullptr, Text)); }
int pushW(const wchar_t *Text) { return push(nullptr, nameOf(nullptr, Text)); }
int popDefault() { return popRange(nullptr); }
uint64_t startEx(const nvtx::Attributes *Event) {
  return start(nameOf(nullptr, Event));
}
uint64_t startA(const char *Text) { return start(nameOf(nullptr, Text)); }
uint64_t startW(const wchar_t *Text) { return start(nameOf(nullptr, Text)); }

int domainPush(const void *Handle, const nvtx::Attributes *Event) {
  const SpanName *Domain = domainOf(Handle);
  return push(Domain, nameOf(Domain, Event));
}
int domainPop(const void *Handle) { return popRange(domainOf(Handle)); }
uint64_t domainStart(const void *Handle, const nvtx::Attributes *Event) {
  return start(nameOf(domainOf(Handle), Event));
}
void domainEnd(const void * /*Handle*/, uint64_t Id) { end(Id); }
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

// The symbol that the NVTX headers look for; they also define it, weak and
// null.
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
    set(Table, Size, nvtx::RangeEnd, end);
  }
  if (Client->GetModule(nvtx::Core2, &Table, &Size) == 1) {
    set(Table, Size, nvtx::DomainRangePushEx, domainPush);
    set(Table, Size, nvtx::DomainRangePop, domainPop);
    set(Table, Size, nvtx::DomainRangeStartEx, domainStart);
    set(Table, Size, nvtx::DomainRangeEnd, domainEnd);
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

void loopscope::runtime::resetNvtxAfterFork() {
  resetRangesAfterFork();
  Names.unlock();
}
