// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The COUNTERS and NODE_SUMS chunks.
//
// A node's entry is found by its index: each sum has pages of pointers to
// entries, which are made on first use and read without a lock.

#include "sums.h"

#include "base/lazy_pages.h"
#include "base/slow_lock.h"
#include "chunks.h"
#include "node_links.h"
#include "profile_file.h"
#include "sites.h"

#include <loopscope/named_losses.h>
#include <loopscope/run_settings.h>

#include <string.h>

using namespace loopscope::runtime;

namespace {
using CounterValue = loopscope_counter_value;
using NodeSum = loopscope_node_sum;

constexpr uint32_t MaxCounters = 126; // fills a page of the profile
constexpr uint32_t MaxSums = 32;
constexpr uint32_t SumsPerChunk = 84;    // a page
constexpr uint32_t EntriesPerPage = 512; // pointers in a page

constexpr const char *LossKeys[] = {
#define LOOPSCOPE_LIST_KEY_(IDENTIFIER, KEY, NAME, NOUN, WHAT) KEY,
    LOOPSCOPE_NAMED_LOSSES(LOOPSCOPE_LIST_KEY_)
#undef LOOPSCOPE_LIST_KEY_
};
constexpr const char *SettingKeys[] = {
#define LOOPSCOPE_LIST_KEY_(IDENTIFIER, KEY, LINE) KEY,
    LOOPSCOPE_SETTINGS(LOOPSCOPE_LIST_KEY_)
#undef LOOPSCOPE_LIST_KEY_
};

struct Page {
  NodeSum *Of[EntriesPerPage];
};

struct RegisteredCounter {
  const char *Key;
  CounterValue *Entry; // null without a profile
  uint64_t First;      // what it is in a new profile
};

struct RegisteredSum {
  const char *Key;
  loopscope_sum_unit Unit;
  loopscope_profile_string StoredKey; // in the profile; empty before use
  LazyPages<Page, MaxNodes / EntriesPerPage> Pages;
};

struct SumsState {
  RegisteredCounter Counters[MaxCounters];
  RegisteredSum Sums[MaxSums];
  uint32_t LossPlaces[sizeof(LossKeys) / sizeof(*LossKeys)]; // + 1; 0: none
  uint32_t CounterCount;
  uint32_t SumCount;
  Chunk *Last; // of NODE_SUMS
};
SumsState Registered;

// The index of KEY among the first COUNT entries, or COUNT.
template <typename Entry>
uint32_t placeOf(const Entry *Entries, uint32_t Count, const char *Key) {
  uint32_t I = 0;
  while (I < Count && strcmp(Entries[I].Key, Key) != 0)
    ++I;
  return I;
}

NodeSum *find(const RegisteredSum &Sum, uint32_t Node) {
  const Page *P = Sum.Pages.find(Node / EntriesPerPage);
  return P == nullptr
             ? nullptr
             : __atomic_load_n(&P->Of[Node % EntriesPerPage], __ATOMIC_ACQUIRE);
}

// Adds one to the count and sets the sum to NEXT.
void change(NodeSum &Entry, uint64_t Next) {
  uint32_t Sequence = Entry.sequence;
  __atomic_store_n(&Entry.sequence, Sequence + 1, __ATOMIC_RELAXED);
  orderStores();
  ++Entry.count;
  Entry.sum = Next;
  __atomic_store_n(&Entry.sequence, Sequence + 2, __ATOMIC_RELEASE);
}

void add(NodeSum &Entry, uint64_t Amount) { change(Entry, Entry.sum + Amount); }

uint64_t bitsOf(double Value) {
  uint64_t Bits = 0;
  memcpy(&Bits, &Value, sizeof(Bits));
  return Bits;
}

double realOf(uint64_t Bits) {
  double Value = 0;
  memcpy(&Value, &Bits, sizeof(Value));
  return Value;
}

// Lock held. Null if out of memory.
NodeSum *make(RegisteredSum &Sum, uint32_t Node) {
  Page *P = Sum.Pages.findOrMake(Node / EntriesPerPage);
  if (P == nullptr)
    return nullptr;
  if (Sum.StoredKey.length == 0 && !storeString(Sum.Key, Sum.StoredKey))
    return nullptr;
  Chunk *C = roomFor(Registered.Last, LOOPSCOPE_CHUNK_NODE_SUMS, 1,
                     SumsPerChunk, sizeof(NodeSum));
  if (C == nullptr)
    return nullptr;
  NodeSum *New = reinterpret_cast<NodeSum *>(entries(C)) + C->used;
  New->key = Sum.StoredKey;
  New->node = Node;
  New->unit = Sum.Unit;
  publish(C, 1);
  __atomic_store_n(&P->Of[Node % EntriesPerPage], New, __ATOMIC_RELEASE);
  return New;
}

// The entry of NODE; takes the slow lock to make a new one. Null if out of
// memory.
NodeSum *findOrMake(SumId Sum, uint32_t Node) {
  if (Sum >= MaxSums || Node >= MaxNodes || Header == nullptr)
    return nullptr;
  NodeSum *Entry = find(Registered.Sums[Sum], Node);
  if (Entry == nullptr) {
    SlowLock Lock;
    Entry = make(Registered.Sums[Sum], Node);
  }
  return Entry;
}
} // namespace

CounterId loopscope::runtime::registerCounter(const char *Key) {
  SumsState &R = Registered;
  uint32_t Place = placeOf(R.Counters, R.CounterCount, Key);
  if (Place == MaxCounters)
    return NotRegistered;
  if (Place == R.CounterCount)
    R.Counters[R.CounterCount++].Key = Key;
  return Place;
}

void loopscope::runtime::registerCounter(loopscope_named_loss Loss) {
  Registered.LossPlaces[Loss] = registerCounter(LossKeys[Loss]) + 1;
}

CounterId loopscope::runtime::keepSetting(loopscope_setting Which,
                                          uint64_t Value) {
  CounterId Counter = registerCounter(SettingKeys[Which]);
  if (Counter != NotRegistered)
    Registered.Counters[Counter].First = Value;
  return Counter;
}

void loopscope::runtime::addToCounter(CounterId Counter, uint64_t Amount) {
  if (Counter >= MaxCounters)
    return;
  CounterValue *Entry =
      __atomic_load_n(&Registered.Counters[Counter].Entry, __ATOMIC_ACQUIRE);
  if (Entry != nullptr)
    __atomic_fetch_add(&Entry->value, Amount, __ATOMIC_RELAXED);
}

void loopscope::runtime::addToCounter(loopscope_named_loss Loss,
                                      uint64_t Amount) {
  addToCounter(Registered.LossPlaces[Loss] - 1, Amount);
}

void loopscope::runtime::addToAllCounters(loopscope_named_loss Loss,
                                          uint64_t Amount) {
  addToCounter(Loss, Amount);
  uint32_t Counter = Registered.LossPlaces[Loss] - 1;
  if (Counter < MaxCounters)
    Registered.Counters[Counter].First += Amount;
}

SumId loopscope::runtime::registerSum(const char *Key,
                                      loopscope_sum_unit Unit) {
  SumsState &R = Registered;
  uint32_t Place = placeOf(R.Sums, R.SumCount, Key);
  if (Place == MaxSums)
    return NotRegistered;
  if (Place == R.SumCount) {
    R.Sums[Place].Key = Key;
    R.Sums[Place].Unit = Unit;
    ++R.SumCount;
  }
  return Place;
}

SumId loopscope::runtime::findSum(const char *Key) {
  uint32_t Place = placeOf(Registered.Sums, Registered.SumCount, Key);
  return Place == Registered.SumCount ? NotRegistered : Place;
}

bool loopscope::runtime::addToKnownNode(SumId Sum, uint32_t NodeIndex,
                                        uint64_t Amount) {
  NodeSum *Entry = Sum < MaxSums && NodeIndex < MaxNodes
                       ? find(Registered.Sums[Sum], NodeIndex)
                       : nullptr;
  if (Entry != nullptr)
    add(*Entry, Amount);
  return Entry != nullptr;
}

bool loopscope::runtime::addToNode(SumId Sum, uint32_t NodeIndex,
                                   uint64_t Amount) {
  NodeSum *Entry = findOrMake(Sum, NodeIndex);
  if (Entry != nullptr)
    add(*Entry, Amount);
  return Entry != nullptr;
}

bool loopscope::runtime::addReal(SumId Sum, uint32_t NodeIndex, double Amount) {
  NodeSum *Entry = findOrMake(Sum, NodeIndex);
  if (Entry != nullptr)
    change(*Entry, bitsOf(realOf(Entry->sum) + Amount));
  return Entry != nullptr;
}

bool loopscope::runtime::setReal(SumId Sum, uint32_t NodeIndex, double Value) {
  NodeSum *Entry = findOrMake(Sum, NodeIndex);
  if (Entry != nullptr)
    change(*Entry, bitsOf(Value));
  return Entry != nullptr;
}

void loopscope::runtime::makeCounters() {
  SumsState &R = Registered;
  Chunk *C = R.CounterCount == 0
                 ? nullptr
                 : addChunk(LOOPSCOPE_CHUNK_COUNTERS, 0, MaxCounters,
                            sizeof(CounterValue), 0);
  if (C == nullptr)
    return;
  auto *Entries = reinterpret_cast<CounterValue *>(entries(C));
  for (uint32_t I = 0; I < R.CounterCount; ++I) {
    if (!storeString(R.Counters[I].Key, Entries[I].key))
      return;
    Entries[I].value = R.Counters[I].First;
    publish(C, 1);
    __atomic_store_n(&R.Counters[I].Entry, &Entries[I], __ATOMIC_RELEASE);
  }
}

void loopscope::runtime::resetSums() {
  for (RegisteredCounter &Each : Registered.Counters)
    Each.Entry = nullptr;
  for (RegisteredSum &Each : Registered.Sums) {
    Each.Pages.forget();
    Each.StoredKey = {};
  }
  Registered.Last = nullptr;
}
