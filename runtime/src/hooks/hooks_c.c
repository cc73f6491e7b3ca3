/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Out-of-line copies of C's hooks, for calls that a compiler doesn't inline;
 * see __LOOPSCOPE_INLINE. */
#define __LOOPSCOPE_INLINE                                                     \
  __attribute((__visibility__("default"), __no_instrument_function__))
#include <loopscope/hooks.h>
