// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of libc that can't be replaced by our own, found in libc's symbol
// table, for the runtime only; see names.h. If there is no libc to search (a
// static program), the program's function of that name is called.

#include "base/glibc_only.h"
#include "base/loaded.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

extern "C" {
// Defined by all sanitizers, which need to know about the program's threads.
__attribute__((weak)) void __sanitizer_print_stack_trace(); // NOLINT
// Of glibc 2.32 and newer.
__attribute__((weak, visibility("default"))) const char *
strerrordesc_np(int Error) noexcept;
}

using namespace loopscope::runtime;

namespace {
void *findInLibc(const char *Name) {
  for (const link_map *Each = loaderList(); Each != nullptr;
       Each = Each->l_next)
    if (isLibc(*Each))
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

// NOLINTBEGIN(bugprone-macro-parentheses): lists of parameters and arguments.

// Defines loopscope_NAME_ with the given parameters and arguments.
#define LOOPSCOPE_FOUND_(RESULT, NAME, PARAMETERS, ARGUMENTS)                  \
  extern "C" RESULT loopscope_##NAME##_ PARAMETERS {                           \
    static Lookup<RESULT(*) PARAMETERS> Of;                                    \
    return Of(#NAME, NAME) ARGUMENTS;                                          \
  }

LOOPSCOPE_FOUND_(int, clock_gettime, (clockid_t Id, timespec *Time), (Id, Time))
LOOPSCOPE_FOUND_(int, clone,
                 (int (*Function)(void *), void *Stack, int Flags, void *Data,
                  ...),
                 (Function, Stack, Flags, Data))
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
LOOPSCOPE_FOUND_(int, pthread_join, (pthread_t Thread, void **Result),
                 (Thread, Result))
LOOPSCOPE_FOUND_(int, pthread_setspecific,
                 (pthread_key_t Key, const void *Value), (Key, Value))

// The same for a function that glibc also has under the reserved name KNOWN.
#define LOOPSCOPE_KNOWN_OR_FOUND_(KNOWN, RESULT, NAME, PARAMETERS, ARGUMENTS)  \
  extern "C" RESULT loopscope_##NAME##_ PARAMETERS {                           \
    static Lookup<RESULT(*) PARAMETERS> Of;                                    \
    return KNOWN != nullptr ? KNOWN ARGUMENTS : Of(#NAME, NAME) ARGUMENTS;     \
  }

LOOPSCOPE_KNOWN_OR_FOUND_(__pthread_key_create, int, pthread_key_create,
                          (pthread_key_t * Key, void (*End)(void *)),
                          (Key, End))
LOOPSCOPE_KNOWN_OR_FOUND_(__sigaction, int, sigaction,
                          (int Signal, const struct sigaction *New,
                           struct sigaction *Old),
                          (Signal, New, Old))

// Where it is missing, strerror() gives the text. glibc's is in the program's
// language, and another thread's call may change an unknown error's.
extern "C" const char *loopscope_strerrordesc_np_(int Error) {
  static Lookup<const char *(*)(int)> OfNew;
  static Lookup<char *(*)(int)> OfOld;
  if (auto New = OfNew("strerrordesc_np", strerrordesc_np))
    return New(Error);
  return OfOld("strerror", strerror)(Error);
}

// A static program can't load libraries, and the linker would warn about the
// mere name dlopen: there, these return FAILURE.
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

// NOLINTEND(bugprone-macro-parentheses)
