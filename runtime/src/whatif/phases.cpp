// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the phases, and lengthens spans.
//
// The lengthening of a span is owed until it is worth a cut. Spinning and
// sleeping each have a debt, which decreases by the time really spent. So many
// short spans are lengthened by as much as one long span, and a sleep that took
// too long is compensated by the next one.

#include "phases.h"

#include "captures.h"
#include "extension.h"

#include "base/clock.h"
#include "base/kernel_time.h"
#include "base/slow_lock.h"
#include "base/thread_memory.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"
#include "profile/sums.h"
#include "tree/cut.h"
#include "tree/node_kinds.h"
#include "tree/own_tree.h"
#include "tree/slow_path.h"
#include "tree/subscriptions.h"

#include <loopscope/named_losses.h>

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

using namespace loopscope::runtime;

WhatifSettings loopscope::runtime::WhatifWanted;

namespace {
constexpr loopscope_site CutSite = {
    LOOPSCOPE_SITE_ABI, LOOPSCOPE_KIND_PHASE, 0, "(what-if)", "", ""};

// Less isn't worth a cut; a sleep takes about 50 microseconds longer than
// requested.
constexpr uint64_t LeastSpinNs = 10000;
constexpr uint64_t LeastSleepNs = 200000;
// For shorter spans the share of processor time isn't read, which takes half a
// microsecond; they count as computing.
constexpr uint64_t LeastSharedNs = 20000;

struct PhasesState {
  bool Allowed;
  uint32_t Count;
  const Node *First[MaxPhases]; // indexed by phase
  uint32_t Lengthened;          // phase + 1; 0: none
  loopscope_whatif_block *Block;
  uint8_t PhaseOf[MaxNodes]; // by node: phase + 1; 0: none
};
PhasesState Phases;

// State of the calling thread.
struct Owed {
  const Node *Open; // a span with a known start
  uint64_t Ticks;   // its start: clock and processor time
  uint64_t CpuNs;
  int64_t SpinTicks;
  int64_t SleepTicks;
  uint64_t Injected; // since the last takeInjected()
  uint32_t Phase;    // phase + 1 that the debts belong to
};
LOOPSCOPE_PER_THREAD(Owed, Own);

uint64_t hz() { return calibratedHz(*Header); }
__extension__ using Wide = unsigned __int128;
uint64_t toNs(uint64_t Ticks) {
  return static_cast<uint64_t>(static_cast<Wide>(Ticks) * NsPerSecond / hz());
}
int64_t toTicks(uint64_t Ns) {
  return static_cast<int64_t>(static_cast<Wide>(Ns) * hz() / NsPerSecond);
}

bool isWantedName(const char *Name) {
  for (uint32_t I = 0; I < WhatifWanted.NameCount; ++I)
    if (strcmp(WhatifWanted.Names[I], Name) == 0)
      return true;
  return false;
}

bool isInItself(const Node *N) {
  for (Node *Up = links(const_cast<Node *>(N)).Parent; Up != nullptr;
       Up = links(Up).Parent)
    if (Up->site == N->site && Up->kind == N->kind)
      return true;
  return false;
}

bool isWanted(const Node *N) {
  const loopscope_site *Site = siteOf(N);
  if (Site == nullptr || isCut(N))
    return false;
  if (WhatifWanted.NameCount != 0)
    return (N->kind == LOOPSCOPE_KIND_PHASE ||
            N->kind == LOOPSCOPE_KIND_FUNCTION) &&
           isWantedName(Site->__name) && !isInItself(N);
  Node *Parent = links(const_cast<Node *>(N)).Parent;
  bool IsBelowStep = isBatch(Parent) || isStepDraw(Parent);
  bool IsOtherThreads = links(Parent).Parent == nullptr &&
                        ownTree() != nullptr && ownTree()->is_main == 0;
  return N->kind == LOOPSCOPE_KIND_PHASE && (IsBelowStep || IsOtherThreads);
}

// The phase of N's site, new at its first node; NoPhase if there are too many.
uint32_t findOrAdd(const Node *N) {
  SlowLock Lock;
  for (uint32_t I = 0; I < Phases.Count; ++I)
    if (Phases.First[I]->site == N->site)
      return I;
  if (Phases.Count == MaxPhases) {
    addToCounter(LOOPSCOPE_COUNT_WHATIF_UNTRIED, 1);
    return NoPhase;
  }
  Phases.First[Phases.Count] = N;
  __atomic_store_n(&Phases.Count, Phases.Count + 1, __ATOMIC_RELEASE);
  return Phases.Count - 1;
}

// Sleeps until TICKS, or spins if the kernel doesn't let it sleep.
void sleepUntil(uint64_t Ticks) {
  int Saved = errno;
  for (uint64_t At = now(); At < Ticks; At = now()) {
    uint64_t Ns = toNs(Ticks - At);
    timespec Rest{static_cast<time_t>(Ns / NsPerSecond),
                  static_cast<long>(Ns % NsPerSecond)};
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &Rest, nullptr);
  }
  errno = Saved;
}

// Subtracts SPENT from a debt; after a long delay, a thread isn't lengthened
// less forever.
void pay(int64_t &Debt, uint64_t Spent, uint64_t Most) {
  Debt -= static_cast<int64_t>(Spent);
  auto Least = -static_cast<int64_t>(Most);
  Debt = Debt < Least ? Least : Debt;
}

void inject(Thread *T, Node *Cut, bool Spins, bool Sleeps) {
  uint64_t Start = now();
  uint64_t At = beginCut(T, Cut, Start);
  if (Spins) {
    uint64_t Until = Start + static_cast<uint64_t>(Own->SpinTicks);
    while ((At = now()) < Until)
      ;
    pay(Own->SpinTicks, At - Start, 4 * (Until - Start));
  }
  if (Sleeps) {
    uint64_t Until = At + static_cast<uint64_t>(Own->SleepTicks);
    sleepUntil(Until);
    uint64_t Woke = now();
    pay(Own->SleepTicks, Woke - At, 4 * (Until - At));
    At = Woke;
  }
  Own->Injected += endCut(T, Cut, At);
  if (auto *Block = __atomic_load_n(&Phases.Block, __ATOMIC_ACQUIRE))
    __atomic_fetch_add(&Block->lengthened, 1, __ATOMIC_RELAXED);
}

// Adds TICKS by which a step became longer: the injected time, and what only
// blocks with it have, such as readings and the measures at a cut's borders.
void addLengthening(uint64_t Ticks) {
  if (auto *Block = __atomic_load_n(&Phases.Block, __ATOMIC_ACQUIRE))
    __atomic_fetch_add(&Block->injected_ticks, Ticks, __ATOMIC_RELAXED);
}

// Adds a span of N to the debts.
void owe(const Node *N) {
  uint64_t Ticks = N->last_ticks;
  auto Whole = static_cast<int64_t>(Ticks * WhatifWanted.Percent / 100);
  int64_t Spin = Whole;
  if (Own->Open == N) {
    uint64_t WallNs = toNs(now() - Own->Ticks);
    uint64_t CpuNs = threadCpuNs() - Own->CpuNs;
    // A wait that is too short for a sleep is lengthened by computing: what
    // comes in lumps shows in few steps.
    if (CpuNs < WallNs)
      Spin = static_cast<int64_t>(static_cast<Wide>(Whole) * CpuNs / WallNs);
    if (Whole - Spin < toTicks(LeastSleepNs))
      Spin = Whole;
  }
  Own->SpinTicks += Spin;
  Own->SleepTicks += Whole - Spin;
}

void addSpan(const Thread *T, const Node *N) {
  auto *Block = __atomic_load_n(&Phases.Block, __ATOMIC_ACQUIRE);
  if (Block == nullptr)
    return;
  __atomic_fetch_add(&Block->phase_ticks, N->last_ticks, __ATOMIC_RELAXED);
  __atomic_fetch_add(&Block->spans, 1, __ATOMIC_RELAXED);
  __atomic_fetch_or(&Block->threads, uint64_t(1) << (T->index % 64),
                    __ATOMIC_RELAXED);
}

uint32_t lengthenedPhase() {
  return __atomic_load_n(&Phases.Lengthened, __ATOMIC_ACQUIRE);
}
} // namespace

void loopscope::runtime::registerPhases() {
  registerCounter(LOOPSCOPE_COUNT_WHATIF_UNTRIED);
}

void loopscope::runtime::allowExperiments(bool Allowed) {
  __atomic_store_n(&Phases.Allowed, Allowed, __ATOMIC_RELEASE);
  if (Allowed)
    return;
  lengthen(NoPhase);
  addInjectedTo(nullptr);
}

bool loopscope::runtime::areExperimentsAllowed() {
  return __atomic_load_n(&Phases.Allowed, __ATOMIC_ACQUIRE);
}

uint64_t loopscope::runtime::considerPath(Node *N) {
  if (!areExperimentsAllowed() || !isWanted(N))
    return 0;
  uint32_t Phase = findOrAdd(N);
  if (Phase != NoPhase) {
    Phases.PhaseOf[N->index] = static_cast<uint8_t>(Phase + 1);
    markSpans(WhatifExtension, N, true);
  }
  return 0;
}

uint64_t loopscope::runtime::beginLengthened(Node *N, uint64_t Now) {
  Own->Open = nullptr;
  if (Phases.PhaseOf[N->index] != lengthenedPhase() || N->count == 0 ||
      toNs(N->sum_ticks / N->count) < LeastSharedNs)
    return 0;
  int Saved = errno;
  Own->CpuNs = threadCpuNs();
  errno = Saved;
  Own->Ticks = now();
  Own->Open = N;
  addLengthening(Own->Ticks - Now);
  return Own->Ticks - Now;
}

void loopscope::runtime::endLengthened(Thread *T, Node *N) {
  uint32_t Phase = Phases.PhaseOf[N->index];
  if (!areExperimentsAllowed()) {
    // Its next span takes the fast path again.
    markSpans(WhatifExtension, N, false);
    return;
  }
  if (Phase == 0 || Phase != lengthenedPhase())
    return;
  if (Own->Phase != Phase)
    Own->SpinTicks = Own->SleepTicks = 0;
  Own->Phase = Phase;
  uint64_t Ended = T->last_ticks;
  addSpan(T, N);
  int Saved = errno;
  owe(N);
  errno = Saved;
  Own->Open = nullptr;
  bool Spins = Own->SpinTicks >= toTicks(LeastSpinNs);
  bool Sleeps = Own->SleepTicks >= toTicks(LeastSleepNs);
  Node *Cut = nullptr;
  if ((Spins || Sleeps) && !isCapturing())
    if (SlowPath Path(false); Path)
      Cut = cutNode(T, &CutSite);
  if (Cut != nullptr)
    inject(T, Cut, Spins, Sleeps);
  addLengthening((Cut != nullptr ? T->last_ticks : now()) - Ended);
}

uint32_t loopscope::runtime::countPhases() {
  return __atomic_load_n(&Phases.Count, __ATOMIC_ACQUIRE);
}

const Node *loopscope::runtime::nodeOfPhase(uint32_t Phase) {
  return Phases.First[Phase];
}

void loopscope::runtime::lengthen(uint32_t Phase) {
  __atomic_store_n(&Phases.Lengthened, Phase == NoPhase ? 0 : Phase + 1,
                   __ATOMIC_RELEASE);
}

void loopscope::runtime::addInjectedTo(loopscope_whatif_block *Block) {
  __atomic_store_n(&Phases.Block, Block, __ATOMIC_RELEASE);
}

uint64_t loopscope::runtime::takeInjected() {
  uint64_t Injected = Own->Injected;
  Own->Injected = 0;
  return Injected;
}
