// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stacks of open ranges. Those of ended threads are reused.

#include "open_ranges.h"

#include "base/deferral.h"
#include "base/memory.h"
#include "base/mutex_lock.h"
#include "base/thread_memory.h"
#include "profile/counts.h"

#include <loopscope/profile_counters.h>

#include <pthread.h>
#include <string.h>

using namespace loopscope::runtime;

namespace {
// An open range, or one that ended with another range; its token is null then.
struct OpenRange {
  const void *Key;
  loopscope_token Token;
};

// A thread's open ranges, of all domains, in the order of their pushes.
struct Ranges {
  static constexpr uint32_t Most = 250;
  uint32_t Count;
  uint32_t TooDeep; // pushes beyond Most that haven't been popped
  Ranges *NextFree;
  OpenRange Open[Most];
};

LOOPSCOPE_PER_THREAD(Ranges *, Own);

struct FreeStacks {
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  Ranges *First = nullptr; // free ones, of ended threads
};
constinit FreeStacks Free;

Ranges *ownRanges() {
  if (*Own != nullptr)
    return *Own;
  Deferral Deferred;
  MutexLock Lock(Free.Mutex);
  Ranges *R = Free.First;
  if (R != nullptr)
    Free.First = R->NextFree;
  if (R == nullptr)
    R = static_cast<Ranges *>(mapMemory(sizeof(Ranges)));
  *Own = R;
  return R;
}

int levelOf(const Ranges &R, const void *Key) {
  int Level = 0;
  for (uint32_t I = 0; I < R.Count; ++I)
    Level += R.Open[I].Key == Key;
  return Level;
}
} // namespace

int loopscope::runtime::pushRange(const void *Key, const loopscope_site *Site) {
  Ranges *R = ownRanges();
  if (R == nullptr)
    return RangeNotTracked;
  if (R->Count == Ranges::Most) {
    ++R->TooDeep;
    count(LOOPSCOPE_COUNT_DEPTH_FOLDED);
    return RangeNotTracked;
  }
  int Level = levelOf(*R, Key);
  R->Open[R->Count++] = {Key, loopscope_enter(Site)};
  return Level;
}

int loopscope::runtime::popRange(const void *Key) {
  Ranges *R = *Own;
  if (R == nullptr)
    return NoRangeToPop;
  if (R->TooDeep != 0) {
    --R->TooDeep;
    return RangeNotTracked;
  }
  uint32_t At = R->Count;
  while (At != 0 && R->Open[At - 1].Key != Key)
    --At;
  if (At-- == 0)
    return NoRangeToPop;
  loopscope_token Token = R->Open[At].Token;
  if (Token != nullptr) {
    for (uint32_t I = At + 1; I < R->Count; ++I)
      R->Open[I].Token = nullptr;
    loopscope_leave(Token);
  }
  --R->Count;
  memmove(R->Open + At, R->Open + At + 1, (R->Count - At) * sizeof(OpenRange));
  return levelOf(*R, Key);
}

void loopscope::runtime::endRangesOfThread() {
  Ranges *R = *Own;
  if (R == nullptr)
    return;
  *Own = nullptr;
  R->Count = R->TooDeep = 0;
  Deferral Deferred;
  MutexLock Lock(Free.Mutex);
  R->NextFree = Free.First;
  Free.First = R;
}

void loopscope::runtime::resetRangesAfterFork() {
  pthread_mutex_init(&Free.Mutex, nullptr);
  Free.First = nullptr;
  if (Ranges *R = *Own)
    R->Count = R->TooDeep = 0;
}
