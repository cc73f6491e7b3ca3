/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* C's hooks out of line, for the places where a compiler doesn't inline them:
 * see __LOOPSCOPE_INLINE. */
#define __LOOPSCOPE_INLINE                                                     \
  __attribute((__visibility__("default"), __no_instrument_function__))
#include <loopscope/hooks.h>
