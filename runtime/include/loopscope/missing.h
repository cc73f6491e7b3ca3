/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Included in front of a source that the build plugin compiled without hooks,
 * or without those of some functions. Tells the runtime at start-up, so that
 * the report names them. The command line defines __LOOPSCOPE_MISSING_FILE, a
 * string literal, and __LOOPSCOPE_LEFT_OUT, the places and names of functions
 * that have no hook because an earlier run showed them to be small. C and C++
 * of any standard; expands to nothing in the device passes of a CUDA compiler.
 */
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
