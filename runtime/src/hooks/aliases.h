/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Public names, as weak aliases of the hooks in the same object file: a program
 * may define any of them itself. In the recording runtime, most hooks differ
 * from the public functions (hooks.cpp); it defines LOOPSCOPE_FEW_ALIASES_. */
#ifndef LOOPSCOPE_HOOKS_ALIASES_H
#define LOOPSCOPE_HOOKS_ALIASES_H

#include <loopscope/loopscope.h>

#define LOOPSCOPE_ALIAS_(NAME)                                                 \
  LOOPSCOPE_NOEXCEPT_ __attribute__((__weak__, __alias__("__" #NAME)))

/* Two files include this header, each for a library of its own. */
/* NOLINTBEGIN(misc-definitions-in-headers) */
#ifdef __cplusplus
extern "C" {
#endif
#ifndef LOOPSCOPE_FEW_ALIASES_
loopscope_token loopscope_enter(const loopscope_site *)
    LOOPSCOPE_ALIAS_(loopscope_enter);
loopscope_token loopscope_enter_adjacent(const loopscope_site *)
    LOOPSCOPE_ALIAS_(loopscope_enter_adjacent);
loopscope_token loopscope_loop_enter(const loopscope_site *)
    LOOPSCOPE_ALIAS_(loopscope_loop_enter);
loopscope_token loopscope_step_begin(loopscope_token)
    LOOPSCOPE_ALIAS_(loopscope_step_begin);
loopscope_token loopscope_draw_enter(const loopscope_site *)
    LOOPSCOPE_ALIAS_(loopscope_draw_enter);
void loopscope_leave(loopscope_token) LOOPSCOPE_ALIAS_(loopscope_leave);
void loopscope_step_end(loopscope_token) LOOPSCOPE_ALIAS_(loopscope_step_end);
void loopscope_samples(loopscope_token, int64_t)
    LOOPSCOPE_ALIAS_(loopscope_samples);
#endif
void loopscope_iterations(loopscope_token, int64_t)
    LOOPSCOPE_ALIAS_(loopscope_iterations);
#define LOOPSCOPE_ALIAS_AMOUNT_(NAME, IDENTIFIER, NOUN)                        \
  void loopscope_##NAME(loopscope_token, double)                               \
      LOOPSCOPE_ALIAS_(loopscope_##NAME);
__LOOPSCOPE_AMOUNTS(LOOPSCOPE_ALIAS_AMOUNT_)
#undef LOOPSCOPE_ALIAS_AMOUNT_
void loopscope_missing_file(const char *)
    LOOPSCOPE_ALIAS_(loopscope_missing_file);
#ifdef __cplusplus
} /* extern "C" */
#endif

/* NOLINTEND(misc-definitions-in-headers) */

#undef LOOPSCOPE_ALIAS_

#endif /* LOOPSCOPE_HOOKS_ALIASES_H */
