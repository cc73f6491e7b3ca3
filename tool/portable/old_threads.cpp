// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of programs and of the libraries that are loaded into other programs.

#include "old_glibc.h"

#include <cstring>
#include <dlfcn.h>
#include <pthread.h>

using KeyEnd = void (*)(void *);
using Start = void *(*)(void *);

// 2.34 moved these from libpthread and libdl to libc, which gave them a new
// version there.
// clang-format off
OLD(dladdr, int, (const void *At, Dl_info *Info), (At, Info))
OLD(dlclose, int, (void *Library), (Library))
OLD(dlerror, char *, (), ())
OLD(dlopen, void *, (const char *Name, int Flags), (Name, Flags))
OLD(dlsym, void *, (void *Library, const char *Name), (Library, Name))
OLD(__pthread_key_create, int, (pthread_key_t *Key, KeyEnd End), (Key, End))
OLD(pthread_attr_setstacksize, int, (pthread_attr_t *Of, size_t Size), (Of, Size))
OLD(pthread_create, int, (pthread_t *New, const pthread_attr_t *As, Start Begin, void *With), (New, As, Begin, With))
OLD(pthread_detach, int, (pthread_t Thread), (Thread))
OLD(pthread_getspecific, void *, (pthread_key_t Key), (Key))
OLD(pthread_join, int, (pthread_t Thread, void **Result), (Thread, Result))
OLD(pthread_key_create, int, (pthread_key_t *Key, KeyEnd End), (Key, End))
OLD(pthread_key_delete, int, (pthread_key_t Key), (Key))
OLD(pthread_mutex_trylock, int, (pthread_mutex_t *Mutex), (Mutex))
OLD(pthread_mutexattr_destroy, int, (pthread_mutexattr_t *Of), (Of))
OLD(pthread_mutexattr_init, int, (pthread_mutexattr_t *Of), (Of))
OLD(pthread_mutexattr_settype, int, (pthread_mutexattr_t *Of, int Type), (Of, Type))
OLD(pthread_once, int, (pthread_once_t *Once, void (*Call)()), (Once, Call))
OLD(pthread_rwlock_rdlock, int, (pthread_rwlock_t *Lock), (Lock))
OLD(pthread_rwlock_unlock, int, (pthread_rwlock_t *Lock), (Lock))
OLD(pthread_rwlock_wrlock, int, (pthread_rwlock_t *Lock), (Lock))
OLD_FROM(SETNAME_VERSION, pthread_setname_np, int, (pthread_t Of, const char *Name), (Of, Name))
OLD(pthread_setspecific, int, (pthread_key_t Key, const void *To), (Key, To))
// clang-format on

// 2.32; no translation, and no pointer that the next call changes.
WRAP(strerrordesc_np, const char *, (int Error)) {
  using Function = const char *(*)(int);
  auto Newer =
      reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "strerrordesc_np"));
  return Newer == nullptr ? strerror(Error) : Newer(Error);
}
