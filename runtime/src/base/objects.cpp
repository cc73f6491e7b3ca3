// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the process's runtime among the loaded objects.

#include "objects.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

using namespace loopscope::runtime;

namespace {
constexpr char NoteName[] = "Loopscope";
constexpr uint32_t NoteType = 1;

struct Search {
  const Entries *First; // of all objects
  const char *Path;     // path of the object that has it; "" for the program
  uintptr_t Begin, End; // range of the object that this code is in
};

uintptr_t roundUp(uintptr_t Size) { return (Size + 3) & ~uintptr_t(3); }

// The entries that a note in [AT, END) points to, or null.
const Entries *entriesIn(uintptr_t At, uintptr_t End) {
  while (End - At >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) Note;
    memcpy(&Note, reinterpret_cast<void *>(At), sizeof(Note));
    uintptr_t Name = At + sizeof(Note);
    uintptr_t Content = Name + roundUp(Note.n_namesz);
    uintptr_t Next = Content + roundUp(Note.n_descsz);
    if (Next > End || Next <= At)
      return nullptr;
    int64_t Distance = 0;
    if (Note.n_type == NoteType && Note.n_namesz == sizeof(NoteName) &&
        Note.n_descsz == sizeof(Distance) &&
        memcmp(reinterpret_cast<void *>(Name), NoteName, sizeof(NoteName)) ==
            0) {
      memcpy(&Distance, reinterpret_cast<void *>(Content), sizeof(Distance));
      const auto *Found = reinterpret_cast<const Entries *>(
          Content + static_cast<uintptr_t>(Distance));
      if (Found->Version == EntriesVersion)
        return Found;
    }
    At = Next;
  }
  return nullptr;
}

int visitObject(dl_phdr_info *Info, size_t /*Size*/, void *Data) {
  auto &Result = *static_cast<Search *>(Data);
  auto Self = reinterpret_cast<uintptr_t>(&loopscope_entries_);
  uintptr_t Begin = UINTPTR_MAX;
  uintptr_t End = 0;
  for (int I = 0; I < Info->dlpi_phnum; ++I) {
    const ElfW(Phdr) &Part = Info->dlpi_phdr[I];
    uintptr_t At = Info->dlpi_addr + Part.p_vaddr;
    if (Part.p_type == PT_LOAD) {
      Begin = At < Begin ? At : Begin;
      End = At + Part.p_memsz > End ? At + Part.p_memsz : End;
    } else if (Part.p_type == PT_NOTE && Result.First == nullptr) {
      Result.First = entriesIn(At, At + Part.p_memsz);
      Result.Path = Info->dlpi_name;
    }
  }
  if (Self >= Begin && Self < End) {
    Result.Begin = Begin;
    Result.End = End;
  }
  return 0;
}

// Set once, before the first hook gets past the search.
struct ObjectsState {
  bool Searched;
  const Entries *Other;       // of the runtime that records; null: this one
  uintptr_t OwnBegin, OwnEnd; // range of the object that this code is in
};
ObjectsState Objects;
} // namespace

const Entries *loopscope::runtime::otherRuntime() {
  if (__atomic_load_n(&Objects.Searched, __ATOMIC_ACQUIRE))
    return Objects.Other;
  Search Result = {};
  dl_iterate_phdr(visitObject, &Result);
  Objects.OwnBegin = Result.Begin;
  Objects.OwnEnd = Result.End;
  if (Result.First != nullptr && Result.First != &loopscope_entries_)
    Objects.Other = Result.First;
  // Set this before dlopen, whose malloc may be the program's and have hooks.
  __atomic_store_n(&Objects.Searched, true, __ATOMIC_RELEASE);
  if (Objects.Other == nullptr && Result.Path != nullptr && Result.Path[0] != 0)
    // The library with the runtime must stay loaded. The handle isn't needed.
    dlopen(Result.Path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  return Objects.Other;
}

__attribute__((destructor(101))) static void leaveRuntime() {
  if (const Entries *Runtime = otherRuntime())
    Runtime->ForgetSites(Objects.OwnBegin, Objects.OwnEnd);
}
