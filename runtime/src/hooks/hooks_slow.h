// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slow tier of the hooks; see hook_tiers.h.

#ifndef LOOPSCOPE_HOOKS_HOOKS_SLOW_H
#define LOOPSCOPE_HOOKS_HOOKS_SLOW_H

#include "base/stack_mark.h"
#include "base/thread_links.h"

#include <loopscope/amount_rows.h>
#include <loopscope/loopscope.h>

namespace loopscope::runtime {

#pragma GCC visibility push(hidden)

/// Every enter, leave, step and number of samples that can't take the fast
/// path. Threads that record their spans take a short way here, too.
loopscope_token enterElse(const loopscope_site *Site, bool Adjacent,
                          KnownMark Of);
void leaveElse(loopscope_token Token);
loopscope_token stepBeginElse(loopscope_token Loop, KnownMark Of);
void stepEndElse(loopscope_token Token);
/// Also amounts of other spans.
void samplesElse(loopscope_token Token, int64_t Amount);
/// Every number of iterations.
void iterationsElse(loopscope_token Token, int64_t Count);
/// Every amount of amounts.h.
template <SpanAmount Which>
void spanAmountElse(loopscope_token Token, double Amount);

#pragma GCC visibility pop

} // namespace loopscope::runtime

#endif // LOOPSCOPE_HOOKS_HOOKS_SLOW_H
