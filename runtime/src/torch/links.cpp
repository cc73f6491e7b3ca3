// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward operators by sequence number, in a table of our own, and pairs of
// call paths, in the profile.

#include "links.h"

#include "base/memory.h"
#include "base/probe.h"
#include "base/slow_lock.h"
#include "facts.h"
#include "profile/chunks.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"
#include "profile/sums.h"
#include "tree/own_tree.h"
#include "tree/slow_path.h"

#include <loopscope/named_losses.h>

#include <stddef.h>
#include <sys/mman.h>

using namespace loopscope::runtime;

namespace {
using Link = loopscope_operator_link;
constexpr uint32_t PlaceBits = 12;
constexpr uint32_t Places = 1U << PlaceBits; // 64 KiB
constexpr uint32_t MostTries = 64;

// A place in the table of forward operators has the node in the low 16 bits,
// and above them what of thread and number isn't in its index. So the last
// 65,536 numbers of a thread are there, and no operator is taken for another.
constexpr uint64_t NumberBits = 16;
constexpr uint64_t Numbers = 1U << NumberBits; // 512 KiB
constexpr uint64_t NodeBits = 16;
static_assert(MaxNodes <= 1U << NodeBits);
constexpr uint64_t MostThreads = 1U << 24;
constexpr uint64_t MostSequence = 1ULL << (24 + NumberBits);

struct LinksState {
  uint64_t *Forward; // by sequence number
  Link *Table;
};
LinksState State;

// A thread and a sequence number.
struct Key {
  uint64_t Thread;
  uint64_t Sequence;

  bool isKnown() const {
    return Thread < MostThreads && Sequence < MostSequence;
  }
  // Threads count by themselves, so their numbers are spread.
  uint64_t place() const { return (Sequence + Thread * 40503) & (Numbers - 1); }
  uint64_t rest() const { return Thread << 24 | Sequence >> NumberBits; }
};

uint64_t *forwardTable() {
  uint64_t *Table = __atomic_load_n(&State.Forward, __ATOMIC_ACQUIRE);
  if (Table != nullptr)
    return Table;
  auto *New = static_cast<uint64_t *>(mapMemory(Numbers * sizeof(uint64_t)));
  if (New == nullptr)
    return nullptr;
  if (__atomic_compare_exchange_n(&State.Forward, &Table, New, false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return New;
  munmap(New, Numbers * sizeof(uint64_t));
  return Table;
}

void noteForward(Key Of, const Node *N) {
  uint64_t *Table = Of.isKnown() ? forwardTable() : nullptr;
  if (Table != nullptr)
    __atomic_store_n(&Table[Of.place()], Of.rest() << NodeBits | N->index,
                     __ATOMIC_RELAXED);
}

// The node of a forward operator; LOOPSCOPE_NONE where it isn't known.
uint32_t findForward(Key Of) {
  uint64_t *Table = __atomic_load_n(&State.Forward, __ATOMIC_ACQUIRE);
  if (Table == nullptr || !Of.isKnown())
    return LOOPSCOPE_NONE;
  uint64_t Found = __atomic_load_n(&Table[Of.place()], __ATOMIC_RELAXED);
  // Node 0 is a root.
  return Found == 0 || Found >> NodeBits != Of.rest()
             ? LOOPSCOPE_NONE
             : static_cast<uint32_t>(Found & ((1U << NodeBits) - 1));
}

Link *linkTable() {
  Link *Table = __atomic_load_n(&State.Table, __ATOMIC_ACQUIRE);
  if (Table != nullptr)
    return Table;
  SlowPath Path(false);
  if (!Path)
    return nullptr;
  SlowLock Lock;
  if (State.Table == nullptr) {
    Chunk *New =
        addChunk(LOOPSCOPE_CHUNK_OPERATOR_LINKS, 0, Places, sizeof(Link), 0);
    if (New == nullptr)
      return nullptr;
    publish(New, Places); // an entry says by itself whether it is used
    __atomic_store_n(&State.Table, reinterpret_cast<Link *>(entries(New)),
                     __ATOMIC_RELEASE);
  }
  return State.Table;
}

// Counts a span of BACKWARD for FORWARD; false where there is no room.
bool addLink(uint32_t Backward, uint32_t Forward) {
  Link *Table = linkTable();
  if (Table == nullptr)
    return false;
  struct __attribute__((may_alias)) Both {
    uint64_t Word;
  };
  static_assert(offsetof(Link, forward) == 0 && offsetof(Link, backward) == 4);
  uint64_t Wanted = (uint64_t(Backward) + 1) << 32 | Forward;
  auto At =
      static_cast<uint32_t>((Wanted * 0x9e3779b97f4a7c15U) >> (64 - PlaceBits));
  auto IsIts = [Wanted](Link &Each) {
    uint64_t &Word = reinterpret_cast<Both *>(&Each)->Word;
    uint64_t Its = __atomic_load_n(&Word, __ATOMIC_RELAXED);
    return (Its == 0 &&
            __atomic_compare_exchange_n(&Word, &Its, Wanted, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) ||
           Its == Wanted;
  };
  Link *Its = probe(Table, Places, At, IsIts, MostTries);
  if (Its != nullptr)
    __atomic_fetch_add(&Its->count, 1, __ATOMIC_RELAXED);
  return Its != nullptr;
}
} // namespace

void loopscope::runtime::registerLinks() {
  registerCounter(LOOPSCOPE_COUNT_OPERATORS_UNLINKED);
}

void loopscope::runtime::linkOperator(const void *Function,
                                      const loopscope_site *Site) {
  const loopscope_torch_facts *Facts = torchFacts();
  Thread *T = ownTree();
  if (Facts == nullptr || T == nullptr)
    return;
  const Node *N = links(T).Current;
  if (N->kind != LOOPSCOPE_KIND_OPERATOR ||
      (Site != nullptr && siteOf(N) != Site))
    return;
  loopscope_torch_operator Is = {};
  Facts->describe(Function, &Is);
  if (Is.sequence < 0)
    return;
  auto Sequence = static_cast<uint64_t>(Is.sequence);
  if (Is.forward_thread == 0) {
    noteForward({Is.thread, Sequence}, N);
    return;
  }
  uint32_t Forward = findForward({Is.forward_thread, Sequence});
  if (Forward == LOOPSCOPE_NONE || !addLink(N->index, Forward))
    addToCounter(LOOPSCOPE_COUNT_OPERATORS_UNLINKED, 1);
}

void loopscope::runtime::resetLinksAfterFork() {
  if (State.Forward != nullptr)
    munmap(State.Forward, Numbers * sizeof(uint64_t));
  State.Forward = nullptr;
  State.Table = nullptr;
}
