// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cold tier of the hooks; see hook_tiers.h.

#ifndef LOOPSCOPE_HOOKS_HOOKS_COLD_H
#define LOOPSCOPE_HOOKS_HOOKS_COLD_H

#include "base/stack_mark.h"
#include "base/thread_links.h"

#include <loopscope/loopscope.h>

namespace loopscope::runtime {

struct Key;

#pragma GCC visibility push(hidden)

/// The first visit of a call path, and a thread's first hook. SITE: with a key,
/// that of a KeyedSite.
__attribute__((cold)) loopscope_token enterFirst(const loopscope_site *Site,
                                                 bool Adjacent, KnownMark Of,
                                                 const Key *K = nullptr);
/// A span with a key, for another copy of the runtime.
loopscope_token enterKeyedOfOther(const loopscope_keyed_site *Site,
                                  const Key &K, bool Adjacent) noexcept;
/// Ends a span that isn't the innermost: a loop, an explicit draw, or one that
/// was left by a jump.
void leaveOuter(loopscope_token Token);
/// The end of a span of N, of which none is open. N may be anything.
__attribute__((cold)) void strayEnd(Node *N);
/// The hook of a loop's beginning.
loopscope_token enterLoop(const loopscope_site *Site, KnownMark Of);
template <typename By>
inline __attribute__((always_inline)) loopscope_token
enterLoop(const loopscope_site *Site) {
  return enterLoop(Site, By::known());
}
/// The hook of a file that was built without hooks.
void noteMissingFile(const char *FileName);

#pragma GCC visibility pop

} // namespace loopscope::runtime

#endif // LOOPSCOPE_HOOKS_HOOKS_COLD_H
