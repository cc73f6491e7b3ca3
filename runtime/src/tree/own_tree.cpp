// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the fast path.

#include "own_tree.h"

#include "base/clock.h"

using namespace loopscope::runtime;

void loopscope::runtime::chooseFast(Thread *T, bool Muted) {
  bool Notes = links(T).EventCursor != nullptr;
  ThreadLinks *Either = UseCounter && !Muted ? &links(T) : &NoLinks;
  ThisThread.Fast = Notes ? &NoLinks : Either;
  ThisThread.Memory->FastNoting = Notes ? Either : &NoLinks;
}

void loopscope::runtime::forgetFast() {
  ThisThread.Fast = &NoLinks;
  if (hasMemory())
    ThisThread.Memory->FastNoting = &NoLinks;
}
