// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that glibc has and musl lacks, so that one archive serves both. The
// references are weak: with musl they are null. What takes their place there is
// referenced strongly, because a weak reference brings nothing in from a static
// libc.a.

#ifndef LOOPSCOPE_BASE_GLIBC_ONLY_H
#define LOOPSCOPE_BASE_GLIBC_ONLY_H

#include <pthread.h>
#include <signal.h>

// NOLINTBEGIN(bugprone-reserved-identifier)
#define LOOPSCOPE_GLIBC_ONLY_ __attribute__((weak, visibility("default")))
extern "C" {
LOOPSCOPE_GLIBC_ONLY_ unsigned long __getauxval(unsigned long Type);
LOOPSCOPE_GLIBC_ONLY_ int __pthread_key_create(pthread_key_t *Key,
                                               void (*End)(void *)) noexcept;
LOOPSCOPE_GLIBC_ONLY_ int __register_atfork(void (*)(), void (*)(), void (*)(),
                                            void *Object);
LOOPSCOPE_GLIBC_ONLY_ int __sigaction(int Signal, const struct sigaction *New,
                                      struct sigaction *Old) noexcept;
}
#undef LOOPSCOPE_GLIBC_ONLY_
// NOLINTEND(bugprone-reserved-identifier)

namespace loopscope::runtime {

/// Whether the program's C library is glibc; else it is musl.
inline bool isGlibc() { return __register_atfork != nullptr; }

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_GLIBC_ONLY_H
