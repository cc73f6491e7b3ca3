// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader's objects are read under its lock, and new ones copied; the
// profile is written afterwards, because a thread that waits for the loader
// must not hold the slow lock.
//
// The ranges that the handler reads are written once. A range that is gone has
// an end below its start.

#include "code.h"

#include "address_order.h"

#include "base/hash.h"
#include "base/loaded.h"
#include "base/memory.h"
#include "base/slow_lock.h"
#include "base/system.h"
#include "profile/chunks.h"
#include "profile/profile_file.h"
#include "profile/sites.h"

#include <elf.h>
#include <string.h>

using namespace loopscope::runtime;

namespace {
using Segment = loopscope_code;
constexpr uint32_t MostSegments = 4096;
constexpr uint32_t SegmentsPerChunk = 45; // a page
constexpr uint32_t MostNew = 16;          // per look
constexpr size_t PathBytes = 1024;

struct Range {
  uintptr_t Start;
  uintptr_t End; // 0: it is gone
  Segment *Entry;
  uintptr_t Table;  // of frames; 0: none
  uint64_t Content; // of path and build id
  bool WasSeen;     // in the current look
};

struct NewSegment {
  Segment Values;
  uintptr_t Table;
  uint64_t Content;
  char Path[PathBytes];
};

// The result of a look.
struct Look {
  NewSegment *New;
  uint32_t NewCount;
  bool HasMore;
  bool SawProgram; // it comes first
};

struct CodeState {
  bool IsBusy;
  uint64_t Changes; // of the loader's list, as of the last look; 0: none yet
  uint32_t Loading;
  Chunk *Last;
  NewSegment *New; // array of MostNew
  uint32_t Count;
  Range Ranges[MostSegments];
  AddressOrder<MostSegments> Order; // of those that aren't gone
};
CodeState State;

// Finds the build id among OBJECT's notes.
void findBuildId(const dl_phdr_info &Object, Segment &Into) {
  for (int I = 0; I < Object.dlpi_phnum; ++I) {
    const ElfW(Phdr) &Notes = Object.dlpi_phdr[I];
    if (Notes.p_type != PT_NOTE)
      continue;
    const char *At =
        reinterpret_cast<const char *>(Object.dlpi_addr + Notes.p_vaddr);
    const char *End = At + Notes.p_memsz;
    while (End - At > static_cast<ptrdiff_t>(sizeof(ElfW(Nhdr)))) {
      ElfW(Nhdr) Note;
      memcpy(&Note, At, sizeof(Note));
      const char *Name = At + sizeof(Note);
      size_t NameBytes = (Note.n_namesz + 3U) & ~size_t(3);
      size_t IdBytes = (Note.n_descsz + 3U) & ~size_t(3);
      if (NameBytes + IdBytes > static_cast<size_t>(End - Name))
        break;
      if (Note.n_type == NT_GNU_BUILD_ID && Note.n_namesz == 4 &&
          memcmp(Name, "GNU", 4) == 0 &&
          Note.n_descsz <= sizeof(Into.build_id)) {
        memcpy(Into.build_id, Name + NameBytes, Note.n_descsz);
        Into.build_id_size = Note.n_descsz;
        return;
      }
      At = Name + NameBytes + IdBytes;
    }
  }
}

uintptr_t frameTableOf(const dl_phdr_info &Object) {
  for (int I = 0; I < Object.dlpi_phnum; ++I)
    if (Object.dlpi_phdr[I].p_type == PT_GNU_EH_FRAME)
      return Object.dlpi_addr + Object.dlpi_phdr[I].p_vaddr;
  return 0;
}

Range *findRange(uintptr_t Start, uintptr_t End, uint64_t Content) {
  for (uint32_t I = 0; I < State.Count; ++I) {
    Range &R = State.Ranges[I];
    if (R.Start == Start && R.End == End && R.Content == Content)
      return &R;
  }
  return nullptr;
}

void lookAt(const dl_phdr_info &Object, const char *Path, Look &At) {
  Segment Values = {};
  Values.bias = Object.dlpi_addr;
  findBuildId(Object, Values);
  uint64_t Content = addToHash(addToHash(EmptyHash, Path, strlen(Path)),
                               Values.build_id, sizeof(Values.build_id));
  for (int I = 0; I < Object.dlpi_phnum; ++I) {
    const ElfW(Phdr) &Part = Object.dlpi_phdr[I];
    // Unreadable code can't be checked for calls either.
    constexpr uint32_t Wanted = PF_X | PF_R;
    if (Part.p_type != PT_LOAD || (Part.p_flags & Wanted) != Wanted)
      continue;
    Values.start = Object.dlpi_addr + Part.p_vaddr;
    Values.end = Values.start + Part.p_memsz;
    if (Range *Known = findRange(Values.start, Values.end, Content)) {
      Known->WasSeen = true;
      continue;
    }
    if (At.NewCount == MostNew) {
      At.HasMore = true;
      return;
    }
    NewSegment &New = At.New[At.NewCount++];
    New.Values = Values;
    New.Table = frameTableOf(Object);
    New.Content = Content;
    copyTail(New.Path, sizeof(New.Path), Path);
  }
}

// How often the loader's list has changed, plus 1.
uint64_t changesIn(const dl_phdr_info &Object) {
  return Object.dlpi_adds + Object.dlpi_subs + 1;
}

int visit(dl_phdr_info *Object, size_t /*Size*/, void *Data) {
  Look &At = *static_cast<Look *>(Data);
  if (changesIn(*Object) == State.Changes)
    return 1; // the list is unchanged
  // glibc gives the program no name, and musl the one that it was called by.
  bool IsProgram = !At.SawProgram || Object->dlpi_name == nullptr ||
                   Object->dlpi_name[0] == 0;
  At.SawProgram = true;
  lookAt(*Object, IsProgram ? Header->program : Object->dlpi_name, At);
  return 0;
}

int countChanges(dl_phdr_info *Object, size_t /*Size*/, void *Data) {
  *static_cast<uint64_t *>(Data) = changesIn(*Object);
  return 1;
}

// Lock held.
void add(const NewSegment &New) {
  Chunk *C = State.Count == MostSegments
                 ? nullptr
                 : roomFor(State.Last, LOOPSCOPE_CHUNK_CODE, 1,
                           SegmentsPerChunk, sizeof(Segment));
  if (C == nullptr)
    return;
  auto *Entry = reinterpret_cast<Segment *>(entries(C)) + C->used;
  *Entry = New.Values;
  Entry->from = State.Loading;
  Entry->until = LOOPSCOPE_NONE;
  storeString(New.Path, Entry->path);
  publish(C, 1);
  Range &R = State.Ranges[State.Count];
  R = {New.Values.start, New.Values.end, Entry, New.Table, New.Content, true};
  __atomic_store_n(&State.Count, State.Count + 1, __ATOMIC_RELEASE);
  State.Order.add(R.Start, State.Count - 1);
}

void removeUnseen() {
  bool HasGone = false;
  for (uint32_t I = 0; I < State.Count; ++I) {
    Range &R = State.Ranges[I];
    if (R.End == 0 || R.WasSeen)
      continue;
    __atomic_store_n(&R.End, uintptr_t(0), __ATOMIC_RELAXED);
    __atomic_store_n(&R.Entry->until, State.Loading + 1, __ATOMIC_RELEASE);
    HasGone = true;
  }
  if (!HasGone)
    return;
  State.Order.remove([](uint32_t I) { return State.Ranges[I].End == 0; });
  __atomic_store_n(&State.Loading, State.Loading + 1, __ATOMIC_RELEASE);
}

// Takes one look and stores the result. True: there is more to see.
bool look() {
  uint64_t Changes = 0;
  dl_iterate_phdr(countChanges, &Changes);
  for (uint32_t I = 0; I < State.Count; ++I)
    State.Ranges[I].WasSeen = false;
  Look At = {State.New, 0, false, false};
  if (dl_iterate_phdr(visit, &At) != 0)
    return false;
  if (!At.HasMore) {
    removeUnseen();
    State.Changes = Changes;
  }
  SlowLock Lock;
  for (uint32_t I = 0; I < At.NewCount; ++I)
    add(At.New[I]);
  return At.HasMore && State.Count < MostSegments;
}
} // namespace

void loopscope::runtime::updateCode() {
  if (__atomic_exchange_n(&State.IsBusy, true, __ATOMIC_ACQUIRE))
    return;
  if (State.New == nullptr)
    State.New =
        static_cast<NewSegment *>(mapMemory(MostNew * sizeof(NewSegment)));
  while (State.New != nullptr && Header != nullptr && look())
    ;
  __atomic_store_n(&State.IsBusy, false, __ATOMIC_RELEASE);
}

static bool contains(const Range &R, uintptr_t Address) {
  return Address >= R.Start &&
         Address < __atomic_load_n(&R.End, __ATOMIC_RELAXED);
}

// Null: none has it.
static const Range *rangeAt(uintptr_t Address) {
  using Order = AddressOrder<MostSegments>;
  uint32_t Found = State.Order.find(Address);
  if (Found != Order::Changing)
    return Found != Order::None && contains(State.Ranges[Found], Address)
               ? &State.Ranges[Found]
               : nullptr;
  uint32_t Count = __atomic_load_n(&State.Count, __ATOMIC_ACQUIRE);
  for (uint32_t I = 0; I < Count; ++I)
    if (contains(State.Ranges[I], Address))
      return &State.Ranges[I];
  return nullptr;
}

bool loopscope::runtime::isCode(uintptr_t First, uintptr_t Last) {
  const Range *Found = rangeAt(Last);
  return Found != nullptr && First >= Found->Start;
}

uintptr_t loopscope::runtime::frameTable(uintptr_t Address) {
  const Range *Found = rangeAt(Address);
  return Found == nullptr ? 0 : Found->Table;
}

uint32_t loopscope::runtime::codeLoading() {
  return __atomic_load_n(&State.Loading, __ATOMIC_ACQUIRE);
}

void loopscope::runtime::resetCode() {
  NewSegment *New = State.New;
  State = {};
  State.New = New;
}
