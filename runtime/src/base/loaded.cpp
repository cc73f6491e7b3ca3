// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// program header -> dynamic section -> loader's list of objects -> symbols

#include "loaded.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>

using namespace loopscope::runtime;

namespace {
// On most machines the loader has already turned the pointers into addresses.
template <typename T>
void set(const T *&Field, const ElfW(Dyn) & Entry, ElfW(Addr) Base) {
  ElfW(Addr) At = Entry.d_un.d_ptr;
  Field = reinterpret_cast<const T *>(At < Base ? Base + At : At);
}

uint32_t hash(const char *Name) {
  uint32_t Result = 5381;
  for (; *Name != 0; ++Name)
    Result = Result * 33 + static_cast<unsigned char>(*Name);
  return Result;
}

link_map objectOf(const dl_phdr_info &Info) {
  link_map Object = {};
  Object.l_addr = Info.dlpi_addr;
  Object.l_name = const_cast<char *>(Info.dlpi_name);
  for (int I = 0; I < Info.dlpi_phnum; ++I)
    if (Info.dlpi_phdr[I].p_type == PT_DYNAMIC)
      Object.l_ld = reinterpret_cast<ElfW(Dyn) *>(Info.dlpi_addr +
                                                  Info.dlpi_phdr[I].p_vaddr);
  return Object;
}

// Calls VISIT with each loaded object until it returns true. The loader's list
// may change meanwhile: another thread may unload an object.
template <typename Function> bool forEachObject(Function Visit) {
  auto VisitOne = [](dl_phdr_info *Info, size_t, void *Data) {
    return (*static_cast<Function *>(Data))(objectOf(*Info)) ? 1 : 0;
  };
  return dl_iterate_phdr(VisitOne, &Visit) != 0;
}

int readLoads(dl_phdr_info *Info, size_t /*Size*/, void *Data) {
  *static_cast<uint64_t *>(Data) = Info->dlpi_adds + 1; // musl begins at 0
  return 1; // every object has the same count
}
} // namespace

const link_map *loopscope::runtime::loaderList() {
  const auto *Headers =
      reinterpret_cast<const ElfW(Phdr) *>(getauxval(AT_PHDR));
  unsigned long Count = getauxval(AT_PHNUM);
  const ElfW(Phdr) *Dynamic = nullptr;
  ElfW(Addr) Base = 0;
  bool HasBase = false;
  bool HasLoader = false;
  for (unsigned long I = 0; Headers != nullptr && I < Count; ++I) {
    if (Headers[I].p_type == PT_PHDR) {
      Base = reinterpret_cast<ElfW(Addr)>(Headers) - Headers[I].p_vaddr;
      HasBase = true;
    } else if (Headers[I].p_type == PT_DYNAMIC) {
      Dynamic = &Headers[I];
    } else if (Headers[I].p_type == PT_INTERP) {
      HasLoader = true;
    }
  }
  // A static program may be relocatable (static-pie). It then has a dynamic
  // section, but no loader, and no entry that tells where it was loaded.
  if (Dynamic == nullptr || !HasBase || !HasLoader)
    return nullptr;
  const auto *Entry =
      reinterpret_cast<const ElfW(Dyn) *>(Base + Dynamic->p_vaddr);
  for (; Entry->d_tag != DT_NULL; ++Entry)
    if (Entry->d_tag == DT_DEBUG)
      if (const auto *Loader =
              reinterpret_cast<const r_debug *>(Entry->d_un.d_ptr))
        return Loader->r_map;
  return nullptr;
}

Symbols::Symbols(const link_map &Object) : Base(Object.l_addr) {
  for (const ElfW(Dyn) *Entry = Object.l_ld;
       Entry != nullptr && Entry->d_tag != DT_NULL; ++Entry)
    switch (Entry->d_tag) {
    case DT_GNU_HASH:
      set(Hash, *Entry, Base);
      break;
    case DT_SYMTAB:
      set(Table, *Entry, Base);
      break;
    case DT_STRTAB:
      set(Strings, *Entry, Base);
      break;
    case DT_VERSYM:
      set(Versions, *Entry, Base);
      break;
    default:
      break;
    }
  if (Table == nullptr || Strings == nullptr)
    Hash = nullptr;
}

bool Symbols::isFunction(uint32_t At, const char *Name) const {
  constexpr ElfW(Half) Hidden = 0x8000; // an old version
  const ElfW(Sym) &Symbol = Table[At];
  return (Symbol.st_info & 0xf) == STT_FUNC && Symbol.st_shndx != SHN_UNDEF &&
         (Versions == nullptr || (Versions[At] & Hidden) == 0) &&
         strcmp(Strings + Symbol.st_name, Name) == 0;
}

const ElfW(Sym) * Symbols::lookUp(const char *Name) const {
  if (Hash == nullptr)
    return nullptr;
  uint32_t Buckets = Hash[0];
  uint32_t First = Hash[1];
  uint32_t FilterWords = Hash[2];
  constexpr uint32_t HeaderWords = 4;
  const uint32_t *Heads =
      Hash + HeaderWords + FilterWords * (sizeof(ElfW(Addr)) / 4);
  const uint32_t *Chains = Heads + Buckets;
  uint32_t Wanted = hash(Name);
  uint32_t At = Buckets == 0 ? 0 : Heads[Wanted % Buckets];
  if (At < First)
    return nullptr;
  for (;; ++At) {
    uint32_t Found = Chains[At - First];
    if ((Found | 1) == (Wanted | 1) && isFunction(At, Name))
      return &Table[At];
    if ((Found & 1) != 0)
      return nullptr;
  }
}

void *Symbols::find(const char *Name) const {
  const ElfW(Sym) *Found = lookUp(Name);
  return Found == nullptr ? nullptr
                          : reinterpret_cast<void *>(Base + Found->st_value);
}

FunctionRange Symbols::findStrong(const char *Name) const {
  const ElfW(Sym) *Found = lookUp(Name);
  if (Found == nullptr || Found->st_info >> 4 != STB_GLOBAL)
    return {};
  return {Base + Found->st_value, Found->st_size};
}

bool Symbols::imports(const char *Name) const {
  // Imported symbols precede the hashed ones.
  uint32_t First = Hash == nullptr ? 0 : Hash[1];
  for (uint32_t At = 1; At < First; ++At)
    if (Table[At].st_shndx == SHN_UNDEF &&
        strcmp(Strings + Table[At].st_name, Name) == 0)
      return true;
  return false;
}

bool loopscope::runtime::isLibc(const link_map &Object) {
  // The last two are part of libc.so.6 since glibc 2.34.
  static constexpr const char *Names[] = {"libc.so.6", "libpthread.so.0",
                                          "libdl.so.2"};
  const char *Slash = strrchr(Object.l_name, '/');
  const char *Base = Slash == nullptr ? Object.l_name : Slash + 1;
  for (const char *Name : Names)
    if (strcmp(Base, Name) == 0)
      return true;
  // musl's loader is its C library, /lib/ld-musl-x86_64.so.1.
  return strncmp(Base, "ld-musl-", 8) == 0 || strcmp(Base, "libc.so") == 0 ||
         strncmp(Base, "libc.musl-", 10) == 0;
}

bool loopscope::runtime::isImported(const char *Name) {
  return forEachObject([Name](const link_map &Object) {
    return !isLibc(Object) && Symbols(Object).imports(Name);
  });
}

FunctionRange loopscope::runtime::findLoaded(const char *Name) {
  FunctionRange Found = {};
  forEachObject([&](const link_map &Object) {
    Found = Symbols(Object).findStrong(Name);
    return Found.Begin != 0;
  });
  return Found;
}

uint64_t loopscope::runtime::loadedObjects() {
  uint64_t Result = 0;
  dl_iterate_phdr(readLoads, &Result);
  return Result;
}
