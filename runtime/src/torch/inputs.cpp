// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two hash tables that are read without a lock and never grow: of lists of
// inputs, and of operators, which say how many lists they have.

#include "inputs.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/mutex_lock.h"
#include "base/probe.h"
#include "base/system.h"
#include "facts.h"
#include "profile/sums.h"

#include <loopscope/named_losses.h>
#include <loopscope/profile_format_operators.h>

#include <string.h>

using namespace loopscope::runtime;

namespace {
constexpr uint32_t MostOfOperator = 64;
constexpr uint32_t MostOfAll = 4096;
constexpr uint32_t MostOperators = 2048; // as SpanNames has
constexpr size_t LongestText = 1000;

struct InputSite {
  uint64_t Hash; // of operator and inputs: 64 bits stand for equality
  loopscope_site Site;
};

struct OperatorEntry {
  const SpanName *Name; // null: free
  uint32_t Count;       // of lists that have sites
  loopscope_site Others;
};

struct Tables {
  InputSite *Lists[MostOfAll * 2];
  OperatorEntry Operators[MostOperators * 2];
};

struct InputsState {
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  Tables *All = nullptr; // null until the first operator
  uint32_t Count = 0;    // of lists
  Arena<64 * size_t(1024)> Memory;
};
constinit InputsState State;

uint64_t mix(uint64_t Hash) { return (Hash * 0x9e3779b97f4a7c15U) >> 32; }

Tables *tables() {
  Tables *Known = __atomic_load_n(&State.All, __ATOMIC_ACQUIRE);
  if (Known != nullptr)
    return Known;
  MutexLock Lock(State.Mutex);
  if (State.All == nullptr)
    __atomic_store_n(&State.All,
                     static_cast<Tables *>(mapMemory(sizeof(Tables))),
                     __ATOMIC_RELEASE);
  return State.All;
}

// Where the list with HASH is, or would be.
InputSite **findList(Tables &All, uint64_t Hash) {
  return probe(All.Lists, MostOfAll * 2, mix(Hash), [Hash](InputSite *&Place) {
    InputSite *Its = __atomic_load_n(&Place, __ATOMIC_ACQUIRE);
    return Its == nullptr || Its->Hash == Hash;
  });
}

// The entry of NAME, or the free one that it would have.
OperatorEntry &findOperator(Tables &All, const SpanName &Name) {
  return *probe(All.Operators, MostOperators * 2, mix(Name.Hash),
                [&Name](OperatorEntry &Entry) {
                  const SpanName *Its =
                      __atomic_load_n(&Entry.Name, __ATOMIC_ACQUIRE);
                  return Its == nullptr || Its == &Name;
                });
}

bool isFull(const OperatorEntry &Entry) {
  return __atomic_load_n(&Entry.Count, __ATOMIC_RELAXED) == MostOfOperator ||
         __atomic_load_n(&State.Count, __ATOMIC_RELAXED) == MostOfAll;
}

// Lock held. Null without memory.
InputSite *make(const SpanName &Name, const char *Text, uint64_t Hash) {
  size_t Size = strlen(Text) + 1;
  char *Memory = State.Memory.take(sizeof(InputSite) + Size);
  if (Memory == nullptr)
    return nullptr;
  auto *Result = reinterpret_cast<InputSite *>(Memory);
  char *Copy = Memory + sizeof(InputSite);
  memcpy(Copy, Text, Size);
  Result->Hash = Hash;
  Result->Site = Name.Site;
  Result->Site.__function = Copy;
  return Result;
}

// A list that has no site. Null where there is no room for it.
const InputSite *addList(Tables &All, const SpanName &Name,
                         const void *Function, uint64_t Hash) {
  char Text[LongestText];
  torchFacts()->write_inputs(Function, Text, sizeof(Text));
  MutexLock Lock(State.Mutex);
  OperatorEntry &Entry = findOperator(All, Name);
  if (Entry.Name == nullptr) {
    Entry.Others = Name.Site;
    Entry.Others.__function = LOOPSCOPE_OTHER_INPUTS;
    __atomic_store_n(&Entry.Name, &Name, __ATOMIC_RELEASE);
  }
  InputSite **Place = findList(All, Hash);
  if (*Place != nullptr || isFull(Entry))
    return *Place;
  InputSite *New = make(Name, Text, Hash);
  if (New == nullptr)
    return nullptr;
  __atomic_store_n(&Entry.Count, Entry.Count + 1, __ATOMIC_RELAXED);
  __atomic_store_n(&State.Count, State.Count + 1, __ATOMIC_RELAXED);
  __atomic_store_n(Place, New, __ATOMIC_RELEASE);
  return New;
}
} // namespace

void loopscope::runtime::registerInputs() {
  registerCounter(LOOPSCOPE_COUNT_OPERATORS_OTHER_INPUTS);
}

const loopscope_site *loopscope::runtime::siteOfInputs(const SpanName &Name,
                                                       const void *Function) {
  const loopscope_torch_facts *Facts = torchFacts();
  Tables *All = Facts == nullptr ? nullptr : tables();
  if (All == nullptr)
    return &Name.Site;
  uint64_t Hash = Name.Hash ^ Facts->hash_inputs(Function);
  const InputSite *Known =
      __atomic_load_n(findList(*All, Hash), __ATOMIC_ACQUIRE);
  if (Known != nullptr)
    return &Known->Site;
  const OperatorEntry &Entry = findOperator(*All, Name);
  if (__atomic_load_n(&Entry.Name, __ATOMIC_ACQUIRE) == nullptr ||
      !isFull(Entry))
    Known = addList(*All, Name, Function, Hash);
  if (Known != nullptr)
    return &Known->Site;
  addToCounter(LOOPSCOPE_COUNT_OPERATORS_OTHER_INPUTS, 1);
  return &findOperator(*All, Name).Others;
}

void loopscope::runtime::resetInputsAfterFork() {
  pthread_mutex_init(&State.Mutex, nullptr);
}
