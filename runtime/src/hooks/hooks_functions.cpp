// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function mode's hook. It works like a phase's, but asks extensions every
// 1,024 calls of a call path whether it is worth its cost; see hook_tiers.h.

#pragma GCC visibility push(default)
#include "base/clock.h"
#include "base/stack_mark.h"
#include "base/thread_memory.h"
#include "hooks_slow.h"
#include "profile/node_links.h"
#include "tree/costs.h"
#include "tree/hook_tokens.h"
#include "tree/node_kinds.h"
#include "tree/own_tree.h"
#include "tree/slow_path.h"
#include "tree/subscriptions.h"
#include "tree/tree.h"

#include <loopscope/loopscope.h>
#pragma GCC visibility pop

using namespace loopscope::runtime;

namespace {
constexpr uint64_t CallsBetween = 1024; // a power of two

bool isDue(const Node *N) {
  return (N->count & (CallsBetween - 1)) == 0 && N->count != 0;
}

// SITE's child of the innermost open node, if it was visited recently.
Node *visitedChild(Thread *T, const loopscope_site *Site) {
  Node *N = expectedChild(T);
  if (siteOf(N) == Site)
    return N;
  N = recallChild(links(T), Site);
  return N != nullptr ? N : recallMeasured(T, Site);
}

void askWhether(Thread *T, Node *N, unsigned char *Off) {
  SlowPath Path(false);
  if (!Path)
    return;
  TicksTaken Taken = tellFunctionDue(N, Off);
  if (Taken.All != 0)
    bookCosts(Taken, links(T).Current, true);
}

// Handles children that aren't the expected one, or are due.
__attribute__((noinline)) loopscope_token
enterFunctionElse(const loopscope_site *Site, unsigned char *Off, bool Adjacent,
                  KnownMark Of) {
  Thread *T = ownTree();
  Node *N = T == nullptr || isMuted(T) ? nullptr : visitedChild(T, Site);
  if (N != nullptr && isDue(N))
    askWhether(T, N, Off);
  if (__atomic_load_n(Off, __ATOMIC_RELAXED) != 0)
    return nullptr;
  loopscope_token Token = enterElse(Site, Adjacent, Of);
  // If instances of a template alternate, the child is found by content.
  Node *Current = N != nullptr || T == nullptr ? nullptr : links(T).Current;
  if (Token != nullptr && Current != nullptr && Token == tokenOf(Current) &&
      isDue(Current))
    askWhether(T, Current, Off);
  return Token;
}
} // namespace

loopscope_token __loopscope_enter_function(const loopscope_site *Site,
                                           unsigned char *Off,
                                           int Adjacent) noexcept {
  ThreadLinks &L = *ThisThread.Fast;
  if (__builtin_expect(L.Current == nullptr, false))
    return enterFunctionElse(Site, Off, Adjacent != 0, ByGuard::known());
  Node *N = expectedChild(L);
  if (__builtin_expect(links(N).Site != Site, false) ||
      __builtin_expect(isDue(N), false))
    return enterFunctionElse(Site, Off, Adjacent != 0, ByGuard::known());
  openNode(L, N, Adjacent != 0 ? L.Owner->last_ticks : readCounter(),
           ByGuard::Quick);
  return N;
}
