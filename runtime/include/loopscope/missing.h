/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Included in front of a source that the build plugin compiled without hooks,
 * or without those of some functions: tells the runtime at start-up, so that
 * the report names it. __LOOPSCOPE_MISSING_FILE, a string literal, comes from
 * the command line; so does __LOOPSCOPE_LEFT_OUT, the places and names of
 * functions without a hook that an earlier run shows to be small. C and C++ of
 * any standard; nothing in the device passes of a CUDA compiler. */
#ifndef __LOOPSCOPE_MISSING_H
#define __LOOPSCOPE_MISSING_H

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC system_header
#endif

#include <loopscope/abi.h>

#if defined(__LOOPSCOPE_MISSING_FILE) && !defined(__CUDA_ARCH__)
__attribute((__constructor__, __used__)) static void
__loopscope_note_missing_file(void) {
  __loopscope_missing_file(__LOOPSCOPE_MISSING_FILE);
}
#endif

#if defined(__LOOPSCOPE_LEFT_OUT) && !defined(__CUDA_ARCH__)
__attribute((__constructor__,
             __used__)) static void __loopscope_note_left_out(void) {
  __loopscope_missing_file("small functions: " __LOOPSCOPE_LEFT_OUT);
}
#endif

#endif /* __LOOPSCOPE_MISSING_H */
