// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Included before every source of the runtime: redirects its calls of libc
// functions to functions of our own.
//
// A program may define any of these names itself, on purpose (memcpy in a
// kernel, an allocator's functions, wrappers around open) or by accident (a
// function called access), and the linker would then bind our calls to it. That
// function might be instrumented, not ready before main, or print something.
// Therefore
//
//   strings.cpp  has copies of the functions that only touch memory,
//   calls.cpp    enters the kernel,
//   locks.cpp    has mutexes and condition variables on futexes,
//   found.cpp    looks up the rest in libc itself, past the program;
//
// and if libc has a second, reserved name for a function, that is used. Some of
// these names only glibc has: they are weak, and musl's public names stand in.
// test/Runtime/libc-names.test checks that the archive has no other undefined
// symbols, and that programs may define all of those.
//
// They are assembler-level aliases, so they also cover calls that the compiler
// generates (memcpy, memset). ThreadSanitizer must see the locks and threads of
// instrumented code, so with it libc's functions are used. Not those with
// descriptors: one thread has a table of its own (base/own_files.h), whose
// numbers it would take for those of the program.

#ifndef LOOPSCOPE_LIBC_NAMES_H
#define LOOPSCOPE_LIBC_NAMES_H

#include "memory_names.h"

// calls.cpp, with descriptors
LOOPSCOPE_OURS_(close);
LOOPSCOPE_OURS_(fallocate);
LOOPSCOPE_OURS_(fcntl);
LOOPSCOPE_OURS_(fstat);
LOOPSCOPE_OURS_(isatty);
LOOPSCOPE_OURS_(open);
LOOPSCOPE_OURS_(openat);
LOOPSCOPE_OURS_(pread);
LOOPSCOPE_OURS_(pwrite);
LOOPSCOPE_OURS_(read);
LOOPSCOPE_OURS_(write);

#ifndef LOOPSCOPE_SEEN_LOCKS_

LOOPSCOPE_IS_(environ, __environ);

// strings.cpp
LOOPSCOPE_OURS_(strchr);
LOOPSCOPE_OURS_(strcmp);
LOOPSCOPE_OURS_(strlen);
LOOPSCOPE_OURS_(strncmp);
LOOPSCOPE_OURS_(strnlen);
LOOPSCOPE_OURS_(strrchr);
LOOPSCOPE_OURS_(strstr);
LOOPSCOPE_OURS_(strtol);

// The rest of calls.cpp
LOOPSCOPE_OURS_(access);
LOOPSCOPE_OURS_(getcwd);
LOOPSCOPE_OURS_(gethostname);
LOOPSCOPE_OURS_(getpid);
LOOPSCOPE_OURS_(getppid);
LOOPSCOPE_OURS_(getrlimit);
LOOPSCOPE_OURS_(linkat);
LOOPSCOPE_OURS_(madvise);
LOOPSCOPE_OURS_(memfd_create);
LOOPSCOPE_OURS_(mkdir);
LOOPSCOPE_OURS_(mmap);
LOOPSCOPE_OURS_(mremap);
LOOPSCOPE_OURS_(munmap);
LOOPSCOPE_OURS_(prctl);
LOOPSCOPE_OURS_(pthread_sigmask);
LOOPSCOPE_OURS_(raise);
LOOPSCOPE_OURS_(readlink);
LOOPSCOPE_OURS_(sched_yield);
LOOPSCOPE_OURS_(sigpending);
LOOPSCOPE_OURS_(sigtimedwait);
LOOPSCOPE_OURS_(stat);
LOOPSCOPE_OURS_(syscall);
LOOPSCOPE_OURS_(unlink);
LOOPSCOPE_OURS_(waitpid);

// The process's own state, without the kernel: also calls.cpp.
LOOPSCOPE_OURS_(atexit);
LOOPSCOPE_OURS_(getauxval);
LOOPSCOPE_OURS_(pthread_atfork);
LOOPSCOPE_OURS_(secure_getenv);
LOOPSCOPE_OURS_(sigaddset);
LOOPSCOPE_OURS_(sigemptyset);
LOOPSCOPE_OURS_(sigfillset);
LOOPSCOPE_OURS_(sigismember);
LOOPSCOPE_OURS_(sysconf);

// locks.cpp
LOOPSCOPE_OURS_(pthread_cond_broadcast);
LOOPSCOPE_OURS_(pthread_cond_init);
LOOPSCOPE_OURS_(pthread_cond_signal);
LOOPSCOPE_OURS_(pthread_cond_timedwait);
LOOPSCOPE_OURS_(pthread_cond_wait);
LOOPSCOPE_OURS_(pthread_condattr_destroy);
LOOPSCOPE_OURS_(pthread_condattr_init);
LOOPSCOPE_OURS_(pthread_condattr_setclock);
LOOPSCOPE_OURS_(pthread_mutex_init);
LOOPSCOPE_OURS_(pthread_mutex_lock);
LOOPSCOPE_OURS_(pthread_mutex_trylock);
LOOPSCOPE_OURS_(pthread_mutex_unlock);
LOOPSCOPE_OURS_(pthread_once);

// found.cpp
LOOPSCOPE_OURS_(clock_gettime);
LOOPSCOPE_OURS_(clone);
LOOPSCOPE_OURS_(dl_iterate_phdr);
LOOPSCOPE_OURS_(dladdr);
LOOPSCOPE_OURS_(dlclose);
LOOPSCOPE_OURS_(dlopen);
LOOPSCOPE_OURS_(dlsym);
LOOPSCOPE_OURS_(fflush);
LOOPSCOPE_OURS_(ftrylockfile);
LOOPSCOPE_OURS_(funlockfile);
LOOPSCOPE_OURS_(posix_spawn_file_actions_adddup2);
LOOPSCOPE_OURS_(posix_spawn_file_actions_destroy);
LOOPSCOPE_OURS_(posix_spawn_file_actions_init);
LOOPSCOPE_OURS_(posix_spawnattr_destroy);
LOOPSCOPE_OURS_(posix_spawnattr_init);
LOOPSCOPE_OURS_(posix_spawnattr_setflags);
LOOPSCOPE_OURS_(posix_spawnattr_setsigdefault);
LOOPSCOPE_OURS_(posix_spawnattr_setsigmask);
LOOPSCOPE_OURS_(posix_spawnp);
LOOPSCOPE_OURS_(pthread_attr_destroy);
LOOPSCOPE_OURS_(pthread_attr_init);
LOOPSCOPE_OURS_(pthread_attr_setdetachstate);
LOOPSCOPE_OURS_(pthread_attr_setinheritsched);
LOOPSCOPE_OURS_(pthread_attr_setstacksize);
LOOPSCOPE_OURS_(pthread_create);
LOOPSCOPE_OURS_(pthread_join);
LOOPSCOPE_OURS_(pthread_key_create);
LOOPSCOPE_OURS_(pthread_setspecific);
LOOPSCOPE_OURS_(sigaction);
LOOPSCOPE_OURS_(strerrordesc_np);

#endif // LOOPSCOPE_SEEN_LOCKS_

#endif // LOOPSCOPE_LIBC_NAMES_H
