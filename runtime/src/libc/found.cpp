// Functions of libc's that nothing of ours can stand in for, found in libc's
// own symbol table, for the runtime alone; see names.h.
//
//   program header -> dynamic section -> loader's list of objects -> libc's
//   symbols
//
// No function is called on the way. Where there is no libc to be found (a
// static program) the program's name for the function is called.
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

extern "C" {
unsigned long __getauxval(unsigned long Type); // NOLINT: libc's reserved name
// All sanitizers have it. They have to know of the program's threads.
__attribute__((weak)) void __sanitizer_print_stack_trace(); // NOLINT
}

namespace {
bool isSame(const char *A, const char *B) {
  while (*A != 0 && *A == *B) {
    ++A;
    ++B;
  }
  return *A == *B;
}

// The loader's list of objects; null in a static program.
const link_map *loadedObjects() {
  const auto *Headers =
      reinterpret_cast<const ElfW(Phdr) *>(__getauxval(AT_PHDR));
  unsigned long Count = __getauxval(AT_PHNUM);
  const ElfW(Phdr) *Dynamic = nullptr;
  ElfW(Addr) Base = 0;
  for (unsigned long I = 0; Headers != nullptr && I < Count; ++I) {
    if (Headers[I].p_type == PT_PHDR)
      Base = reinterpret_cast<ElfW(Addr)>(Headers) - Headers[I].p_vaddr;
    else if (Headers[I].p_type == PT_DYNAMIC)
      Dynamic = &Headers[I];
  }
  if (Dynamic == nullptr)
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

// An object's symbols, by its GNU hash table.
class Symbols {
public:
  explicit Symbols(const link_map &Object) : Base(Object.l_addr) {
    for (const ElfW(Dyn) *Entry = Object.l_ld; Entry->d_tag != DT_NULL; ++Entry)
      switch (Entry->d_tag) {
      case DT_GNU_HASH:
        set(Hash, *Entry);
        break;
      case DT_SYMTAB:
        set(Table, *Entry);
        break;
      case DT_STRTAB:
        set(Strings, *Entry);
        break;
      case DT_VERSYM:
        set(Versions, *Entry);
        break;
      default:
        break;
      }
  }

  /// The address of the function NAME in its default version, else null.
  void *find(const char *Name) const {
    if (Hash == nullptr || Table == nullptr || Strings == nullptr)
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
      if ((Found | 1) == (Wanted | 1) && isIt(At, Name))
        return reinterpret_cast<void *>(Base + Table[At].st_value);
      if ((Found & 1) != 0)
        return nullptr;
    }
  }

private:
  // The loader has made the pointers addresses, on most machines.
  template <typename T> void set(const T *&Field, const ElfW(Dyn) & Entry) {
    ElfW(Addr) At = Entry.d_un.d_ptr;
    Field = reinterpret_cast<const T *>(At < Base ? Base + At : At);
  }

  static uint32_t hash(const char *Name) {
    uint32_t Result = 5381;
    for (; *Name != 0; ++Name)
      Result = Result * 33 + static_cast<unsigned char>(*Name);
    return Result;
  }

  bool isIt(uint32_t At, const char *Name) const {
    constexpr ElfW(Half) Hidden = 0x8000; // an old version
    const ElfW(Sym) &Symbol = Table[At];
    return (Symbol.st_info & 0xf) == STT_FUNC && Symbol.st_shndx != SHN_UNDEF &&
           (Versions == nullptr || (Versions[At] & Hidden) == 0) &&
           isSame(Strings + Symbol.st_name, Name);
  }

  ElfW(Addr) Base;
  const uint32_t *Hash = nullptr;
  const ElfW(Sym) *Table = nullptr;
  const char *Strings = nullptr;
  const ElfW(Half) *Versions = nullptr;
};

bool isLibc(const char *Path) {
  // The last two are part of it since glibc 2.34.
  static constexpr const char *Names[] = {"libc.so.6", "libpthread.so.0",
                                          "libdl.so.2"};
  const char *Base = Path;
  for (const char *C = Path; *C != 0; ++C)
    if (*C == '/')
      Base = C + 1;
  for (const char *Name : Names)
    if (isSame(Base, Name))
      return true;
  return false;
}

void *findInLibc(const char *Name) {
  for (const link_map *Each = loadedObjects(); Each != nullptr;
       Each = Each->l_next)
    if (isLibc(Each->l_name))
      if (void *Found = Symbols(*Each).find(Name))
        return Found;
  return nullptr;
}

// Remembers the address of one function.
template <typename Function> class Lookup {
public:
  Function operator()(const char *Name, Function Otherwise) {
    Function Result = __atomic_load_n(&Known, __ATOMIC_RELAXED);
    if (__builtin_expect(Result == nullptr, false)) {
      if (Otherwise == nullptr || __sanitizer_print_stack_trace == nullptr)
        Result = reinterpret_cast<Function>(findInLibc(Name));
      if (Result == nullptr)
        Result = Otherwise;
      __atomic_store_n(&Known, Result, __ATOMIC_RELAXED);
    }
    return Result;
  }

private:
  Function Known;
};
} // namespace

// loopscope_NAME_ with the parameters and arguments given.
#define LOOPSCOPE_FOUND_(RESULT, NAME, PARAMETERS, ARGUMENTS)                  \
  extern "C" RESULT loopscope_##NAME##_ PARAMETERS {                           \
    static Lookup<RESULT(*) PARAMETERS> Of;                                    \
    return Of(#NAME, NAME) ARGUMENTS;                                          \
  }

LOOPSCOPE_FOUND_(int, clock_gettime, (clockid_t Id, timespec *Time), (Id, Time))
LOOPSCOPE_FOUND_(int, dl_iterate_phdr,
                 (int (*Visit)(dl_phdr_info *, size_t, void *), void *Data),
                 (Visit, Data))
LOOPSCOPE_FOUND_(int, fflush, (FILE * Stream), (Stream))
LOOPSCOPE_FOUND_(int, ftrylockfile, (FILE * Stream), (Stream))
LOOPSCOPE_FOUND_(void, funlockfile, (FILE * Stream), (Stream))
LOOPSCOPE_FOUND_(int, posix_spawn_file_actions_adddup2,
                 (posix_spawn_file_actions_t * Actions, int From, int To),
                 (Actions, From, To))
LOOPSCOPE_FOUND_(int, posix_spawn_file_actions_destroy,
                 (posix_spawn_file_actions_t * Actions), (Actions))
LOOPSCOPE_FOUND_(int, posix_spawn_file_actions_init,
                 (posix_spawn_file_actions_t * Actions), (Actions))
LOOPSCOPE_FOUND_(int, posix_spawnattr_destroy, (posix_spawnattr_t * Attr),
                 (Attr))
LOOPSCOPE_FOUND_(int, posix_spawnattr_init, (posix_spawnattr_t * Attr), (Attr))
LOOPSCOPE_FOUND_(int, posix_spawnattr_setflags,
                 (posix_spawnattr_t * Attr, short Flags), (Attr, Flags))
LOOPSCOPE_FOUND_(int, posix_spawnattr_setsigdefault,
                 (posix_spawnattr_t * Attr, const sigset_t *Set), (Attr, Set))
LOOPSCOPE_FOUND_(int, posix_spawnattr_setsigmask,
                 (posix_spawnattr_t * Attr, const sigset_t *Set), (Attr, Set))
LOOPSCOPE_FOUND_(int, posix_spawnp,
                 (pid_t * Child, const char *Name,
                  const posix_spawn_file_actions_t *Actions,
                  const posix_spawnattr_t *Attributes, char *const *Arguments,
                  char *const *Environment),
                 (Child, Name, Actions, Attributes, Arguments, Environment))
LOOPSCOPE_FOUND_(int, pthread_attr_destroy, (pthread_attr_t * Attr), (Attr))
LOOPSCOPE_FOUND_(int, pthread_attr_init, (pthread_attr_t * Attr), (Attr))
LOOPSCOPE_FOUND_(int, pthread_attr_setdetachstate,
                 (pthread_attr_t * Attr, int State), (Attr, State))
LOOPSCOPE_FOUND_(int, pthread_attr_setinheritsched,
                 (pthread_attr_t * Attr, int Inherits), (Attr, Inherits))
LOOPSCOPE_FOUND_(int, pthread_attr_setstacksize,
                 (pthread_attr_t * Attr, size_t Size), (Attr, Size))
LOOPSCOPE_FOUND_(int, pthread_create,
                 (pthread_t * Thread, const pthread_attr_t *Attributes,
                  void *(*Function)(void *), void *Argument),
                 (Thread, Attributes, Function, Argument))
LOOPSCOPE_FOUND_(int, pthread_setspecific,
                 (pthread_key_t Key, const void *Value), (Key, Value))
LOOPSCOPE_FOUND_(const char *, strerrordesc_np, (int Error), (Error))

// A static program has no libraries to load, and the linker would warn of the
// mere name of dlopen: these fail there.
#define LOOPSCOPE_FOUND_OR_(FAILURE, RESULT, NAME, PARAMETERS, ARGUMENTS)      \
  extern "C" RESULT loopscope_##NAME##_ PARAMETERS {                           \
    static Lookup<RESULT(*) PARAMETERS> Of;                                    \
    auto Found = Of(#NAME, nullptr);                                           \
    return Found == nullptr ? FAILURE : Found ARGUMENTS;                       \
  }

LOOPSCOPE_FOUND_OR_(0, int, dladdr, (const void *Address, Dl_info *Info),
                    (Address, Info))
LOOPSCOPE_FOUND_OR_(-1, int, dlclose, (void *Library), (Library))
LOOPSCOPE_FOUND_OR_(nullptr, void *, dlopen, (const char *Path, int Flags),
                    (Path, Flags))
LOOPSCOPE_FOUND_OR_(nullptr, void *, dlsym, (void *Library, const char *Name),
                    (Library, Name))
