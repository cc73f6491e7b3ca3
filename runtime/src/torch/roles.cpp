// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread's role, and the list of callers, which changes seldom.

#include "roles.h"

#include "served.h"

#include "base/mutex_lock.h"
#include "base/thread_memory.h"
#include "process/attach.h"
#include "profile/node_links.h"
#include "tree/own_tree.h"
#include "tree/slow_path.h"

#include <string.h>

using namespace loopscope::runtime;

namespace {
enum class ThreadRole : uint8_t {
  Unknown,
  Caller,
  Engine, // for good
  Other   // has run operators in no phase; may become a caller
};

struct OwnRole {
  ThreadRole Is;
  const void *Operator; // with which the span below ends; null: none is open
  loopscope_token Serving;
};
LOOPSCOPE_PER_THREAD(OwnRole, Own);

constexpr uint32_t MostCallers = 64;
struct CallerList {
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  Thread *All[MostCallers] = {};
  uint32_t Count = 0;
  bool HadMore = false;   // than there is room for
  Thread *Only = nullptr; // read without the lock; null: none, or several

  void changed() {
    __atomic_store_n(&Only, Count == 1 && !HadMore ? All[0] : nullptr,
                     __ATOMIC_RELEASE);
  }
};
constinit CallerList Callers;

// What readers see that don't know the kind.
constexpr loopscope_site ServedSite = {LOOPSCOPE_SITE_ABI,
                                       LOOPSCOPE_KIND_SERVED,
                                       0,
                                       "(autograd's thread)",
                                       "LibTorch",
                                       ""};

// How all versions call a task of the engine.
bool isTask(const char *Name) {
  constexpr const char *Begin = "autograd::engine::evaluate_function: ";
  return Name != nullptr && strncmp(Name, Begin, strlen(Begin)) == 0;
}

void becomeCaller(Thread *T) {
  Own->Is = ThreadRole::Caller;
  MutexLock Lock(Callers.Mutex);
  if (Callers.Count == MostCallers)
    Callers.HadMore = true;
  else
    Callers.All[Callers.Count++] = T;
  Callers.changed();
}

void removeCaller(const Thread *T) {
  MutexLock Lock(Callers.Mutex);
  for (uint32_t I = 0; I < Callers.Count; ++I)
    if (Callers.All[I] == T) {
      Callers.All[I] = Callers.All[--Callers.Count];
      break;
    }
  Callers.changed();
}

// Whether AT, an open node, lies in a phase, and in no operator, which was
// looked at when it began.
bool isInOwnPhase(Node *At) {
  bool IsInPhase = false;
  for (Node *N = At; links(N).Parent != nullptr; N = links(N).Parent) {
    if (N->kind == LOOPSCOPE_KIND_OPERATOR || N->kind == LOOPSCOPE_KIND_SERVED)
      return false;
    IsInPhase |= N->kind != LOOPSCOPE_KIND_FUNCTION;
  }
  return IsInPhase;
}

Thread *attachedTree() {
  if (Thread *T = ownTree())
    return T;
  SlowPath Path;
  return Path ? attachThread() : nullptr;
}

// An operator outside all spans of T, the calling thread, which is no caller.
void settleOutside(Thread *T, const void *Function, const char *Name) {
  if (Own->Is == ThreadRole::Unknown)
    Own->Is = isTask(Name) ? ThreadRole::Engine : ThreadRole::Other;
  if (Own->Is != ThreadRole::Engine)
    return;
  Thread *Caller = __atomic_load_n(&Callers.Only, __ATOMIC_ACQUIRE);
  const Node *Phase = Caller == nullptr ? nullptr : openPhaseOf(Caller);
  if (Phase == nullptr)
    return;
  Own->Serving = enterServed(T, &ServedSite, Phase);
  Own->Operator = Own->Serving == nullptr ? nullptr : Function;
}
} // namespace

void loopscope::runtime::settleRole(const void *Function, const char *Name) {
  if (Own->Is == ThreadRole::Caller)
    return;
  Thread *T = attachedTree();
  if (T == nullptr)
    return;
  Node *At = links(T).Current;
  if (T->is_main != 0 || (Own->Is != ThreadRole::Engine && isInOwnPhase(At)))
    becomeCaller(T);
  else if (links(At).Parent == nullptr)
    settleOutside(T, Function, Name);
}

void loopscope::runtime::endServing(const void *Function) {
  if (Own->Operator == nullptr || Own->Operator != Function)
    return;
  Own->Operator = nullptr;
  loopscope_leave(Own->Serving);
}

void loopscope::runtime::endRoleOfThread() {
  if (Own->Is == ThreadRole::Caller)
    removeCaller(ownTree());
  *Own = {};
}

void loopscope::runtime::resetRolesAfterFork() {
  pthread_mutex_init(&Callers.Mutex, nullptr);
  Callers.Count = 0;
  Callers.HadMore = false;
  Callers.changed();
  *Own = {};
}
