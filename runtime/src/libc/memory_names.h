// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of names.h that holds for libc/ itself, too: functions that
// compilers call where the source has none, to copy or clear a struct.

#ifndef LOOPSCOPE_LIBC_MEMORY_NAMES_H
#define LOOPSCOPE_LIBC_MEMORY_NAMES_H

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LOOPSCOPE_SEEN_LOCKS_
#endif
#elif defined(__SANITIZE_THREAD__)
#define LOOPSCOPE_SEEN_LOCKS_
#endif

#define LOOPSCOPE_IS_(NAME, OTHER) __asm__(#NAME " = " #OTHER)
#define LOOPSCOPE_OURS_(NAME) LOOPSCOPE_IS_(NAME, loopscope_##NAME##_)

#ifndef LOOPSCOPE_SEEN_LOCKS_

LOOPSCOPE_OURS_(memcmp);
LOOPSCOPE_OURS_(memcpy);
LOOPSCOPE_OURS_(memmove);
LOOPSCOPE_OURS_(memset);

#endif // LOOPSCOPE_SEEN_LOCKS_

#endif // LOOPSCOPE_LIBC_MEMORY_NAMES_H
