// The hooks: fast paths inline from tree.h, everything else out of line.
#pragma GCC visibility push(default)
#include "aliases.h"
#include <loopscope/loopscope.h>
#pragma GCC visibility pop

#include "events.h"
#include "objects.h"
#include "process.h"
#include "profile_file.h"
#include "sites.h"
#include "steps.h"
#include "threads.h"

using namespace loopscope::runtime;

// hooks.h can't include the format.
#define SAME_KIND(NAME)                                                        \
  static_assert(+LOOPSCOPE_KIND_##NAME == __LOOPSCOPE_KIND_##NAME)
SAME_KIND(PHASE);
SAME_KIND(FIT);
SAME_KIND(VALIDATE);
SAME_KIND(TEST);
SAME_KIND(PREDICT);
SAME_KIND(EPOCH);
SAME_KIND(TRAIN);
SAME_KIND(VALID);
SAME_KIND(DRAW);
SAME_KIND(FUNCTION);

namespace {
// A token of an explicit draw is its DRAW's address with this bit.
constexpr uintptr_t ExplicitDrawBit = 1;

bool isLoopKind(const loopscope_site *Site) {
  return Site->__kind == LOOPSCOPE_KIND_TRAIN ||
         Site->__kind == LOOPSCOPE_KIND_VALID;
}

// The kinds that users may time as plain spans.
bool isSpanKind(const loopscope_site *Site) {
  return (Site->__kind >= LOOPSCOPE_KIND_PHASE &&
          Site->__kind <= LOOPSCOPE_KIND_EPOCH) ||
         Site->__kind == LOOPSCOPE_KIND_DRAW ||
         (Site->__kind == LOOPSCOPE_KIND_FUNCTION &&
          __loopscope_functions_active != 0);
}

// A child, found on the slow path or made.
struct Found {
  Node *Child;
  bool TookTime; // for more than the child
};

Found findOrMakeChild(Thread *T, const loopscope_site *Site) {
  uint32_t Unused = T->reserve_index;
  Node *N = findChild(T, Site);
  bool IsNew = N != nullptr && T->reserve_index != Unused;
  if (!IsNew)
    return {N, false};
  TicksTaken Taken = tellNewCallPath(N);
  if (Taken.All != 0)
    bookCosts(Taken, links(N).Parent, true);
  return {N, Taken.All != 0};
}

// The first visit of a call path, and a thread's first hook.
__attribute__((noinline, cold)) loopscope_token
enterFirst(const loopscope_site *Site, bool Adjacent) {
  if (const Entries *Other = otherRuntime())
    return Adjacent ? Other->EnterAdjacent(Site) : Other->Enter(Site);
  if (__loopscope_active == 0)
    return nullptr;
  if (Self != nullptr)
    makeRoom(Self, Adjacent);
  SlowPath Path;
  Thread *T = Path ? attachThread() : nullptr;
  if (T == nullptr)
    return nullptr;
  uint64_t Last = T->last_ticks;
  if (!isSpanKind(Site))
    return nullptr;
  Found Of = findOrMakeChild(T, Site);
  if (Of.Child != nullptr)
    beginSpan(T, Of.Child, Adjacent && !Of.TookTime ? Last : now());
  return Of.Child;
}

// Every other enter: another child than expected, another clock than the
// counter, a step outside the window.
__attribute__((noinline)) loopscope_token
enterSlowly(const loopscope_site *Site, bool Adjacent) {
  Thread *T = Self;
  if (T == nullptr)
    return enterFirst(Site, Adjacent);
  Node *N = expectedChild(T);
  if (links(N).Site != Site) {
    N = recallChild(T, Site);
    if (N == nullptr)
      return isMuted(T) ? nullptr : enterFirst(Site, Adjacent);
  }
  if (Fast == nullptr && FastNoting == nullptr && isMuted(T))
    return nullptr;
  beginSpan(T, N, Adjacent ? T->last_ticks : now());
  return N;
}

// Every enter that isn't on the fast path. That of a timeline is quick as well.
__attribute__((noinline)) loopscope_token enterElse(const loopscope_site *Site,
                                                    bool Adjacent) {
  Thread *T = FastNoting;
  if (T == nullptr)
    return enterSlowly(Site, Adjacent);
  Node *N = expectedChild(T);
  if (__builtin_expect(links(N).Site != Site, false))
    return enterSlowly(Site, Adjacent);
  uint64_t Start = Adjacent ? T->last_ticks : readCounter();
  openNode(T, N, Start);
  noteEvent(T, LOOPSCOPE_EVENT_BEGIN, N, Start);
  return N;
}

__attribute__((noinline, cold)) void strayEnd() {
  // A forked child ends spans that its parent began.
  if (Header != nullptr && (Header->flags & LOOPSCOPE_FLAG_FORKED) == 0)
    count(LOOPSCOPE_COUNT_STRAY_END);
}

// Ends a span that isn't the innermost: a loop, an explicit draw, one that was
// left by a jump.
__attribute__((noinline)) void leaveOuter(loopscope_token Token) {
  if (Token == nullptr)
    return;
  if (const Entries *Other = otherRuntime()) {
    Other->Leave(Token);
    return;
  }
  Thread *T = Self;
  auto Address = reinterpret_cast<uintptr_t>(Token);
  auto *N = reinterpret_cast<Node *>(Address & ~ExplicitDrawBit);
  if (T == nullptr || !isOpen(T, N)) {
    strayEnd();
    return;
  }
  uint64_t Now = now();
  popTo(T, N, Now);
  if (!isStepDraw(N))
    endSpan(T, N, Now);
  else if (isExplicitDraw(N))
    endExplicitDraw(T, N, Now);
}

// What every reading of the clock at an end is for, too.
inline void calibrateIfDue(Thread *T, uint64_t Now) {
  if (__builtin_expect(Now >= links(T).CalibrateAt, false))
    calibrateFrom(T, Now);
}

// The leave of a span that is the longest of its node so far, as the first one
// is; or the clock is wrong.
__attribute__((noinline)) void leaveLongest(Thread *T, Node *N, uint64_t Now) {
  endSpan(T, N, Now);
  calibrateIfDue(T, Now);
}

// The leave of the innermost open span, by the counter; NOTES: in the timeline
// too.
template <bool Notes>
inline __attribute__((always_inline)) void leaveQuickly(Thread *T, Node *N) {
  uint64_t *Bucket = lastBucket(N);
  uint64_t Start = N->enter_ticks;
  // The compiler would load them behind the reading, and there are processors
  // that overlap a reading only with what comes before it.
  asm volatile("" : "+r"(Bucket), "+r"(Start));
  uint64_t Now = readCounter();
  uint64_t Duration = Now - Start;
  if (__builtin_expect(Duration > N->max_ticks, false)) {
    leaveLongest(T, N, Now);
    return;
  }
  closeNode<Longest::No>(T, N, Duration, Now, Bucket);
  if constexpr (Notes)
    noteEvent(T, LOOPSCOPE_EVENT_END, N, Now);
  calibrateIfDue(T, Now);
}

// Every other leave.
__attribute__((noinline)) void leaveSlowly(loopscope_token Token) {
  Thread *T = Self;
  auto *N = static_cast<Node *>(Token);
  if (T == nullptr || links(T).Current != N) {
    leaveOuter(Token);
    return;
  }
  leaveLongest(T, N, now());
}

// Every leave that isn't on the fast path. That of a timeline is quick as well.
__attribute__((noinline)) void leaveElse(loopscope_token Token) {
  Thread *T = FastNoting;
  auto *N = static_cast<Node *>(Token);
  if (T == nullptr || __builtin_expect(links(T).Current != N, false)) {
    leaveSlowly(Token);
    return;
  }
  leaveQuickly<true>(T, N);
}

// Every beginning of a step that isn't on the fast path.
__attribute__((noinline)) loopscope_token stepBeginElse(loopscope_token Loop) {
  Thread *T = Self;
  if (T == nullptr || Loop == nullptr) {
    const Entries *Other = otherRuntime();
    return Other == nullptr ? nullptr : Other->StepBegin(Loop);
  }
  Node *Draw = links(T).Current;
  if (!isDrawOf(Draw, Loop)) {
    // Something inside was left by a jump: end it, and draw again.
    auto *N = static_cast<Node *>(Loop);
    if (!isOpen(T, N)) {
      strayEnd();
      return nullptr;
    }
    Draw = popToDraw(T, N, now());
  }
  return beginBatch(T, Draw, now());
}

// Every end of a step that isn't on the fast path.
__attribute__((noinline)) void stepEndElse(loopscope_token Token) {
  Thread *T = Self;
  auto *Batch = static_cast<Node *>(Token);
  if (T == nullptr || Batch == nullptr) {
    if (const Entries *Other = otherRuntime())
      Other->StepEnd(Token);
    return;
  }
  if (links(T).Current != Batch) {
    if (!isOpen(T, Batch)) {
      strayEnd();
      return;
    }
    popTo(T, Batch, now());
  }
  endBatch(Batch);
  endStep(T, Batch, now());
  calibrateIfDue(T, T->last_ticks);
}

// Samples of a step that isn't the innermost open one, and the first of a run.
__attribute__((noinline)) void samplesElse(loopscope_token Step,
                                           int64_t Samples) {
  Thread *T = Self;
  auto *Batch = static_cast<Node *>(Step);
  if (T != nullptr && Batch != nullptr && isOpen(T, Batch))
    setSamples(Batch, Samples);
  else if (const Entries *Other = otherRuntime())
    Other->Samples(Step, Samples);
}
} // namespace

// Until the options are known: a hook that comes first looks them up.
unsigned char __loopscope_active = 1;
unsigned char __loopscope_functions_active = 1;

void loopscope::runtime::count(loopscope_counter Counter) {
  if (auto *H = __atomic_load_n(&Header, __ATOMIC_ACQUIRE); H != nullptr)
    __atomic_fetch_add(&H->counters[Counter], 1, __ATOMIC_RELAXED);
}

loopscope_token __loopscope_enter(const loopscope_site *Site) noexcept {
  Thread *T = Fast;
  if (__builtin_expect(T == nullptr, false))
    return enterElse(Site, false);
  Node *N = expectedChild(T);
  if (__builtin_expect(links(N).Site != Site, false))
    return enterElse(Site, false);
  openNode(T, N, readCounter());
  return N;
}

loopscope_token
__loopscope_enter_adjacent(const loopscope_site *Site) noexcept {
  Thread *T = Fast;
  if (__builtin_expect(T == nullptr, false))
    return enterElse(Site, true);
  Node *N = expectedChild(T);
  if (__builtin_expect(links(N).Site != Site, false))
    return enterElse(Site, true);
  openNodeFrom(T, N, T->last_ticks);
  return N;
}

void __loopscope_leave(loopscope_token Token) noexcept {
  Thread *T = Fast;
  auto *N = static_cast<Node *>(Token);
  if (__builtin_expect(T == nullptr, false) ||
      __builtin_expect(links(T).Current != N, false)) {
    leaveElse(Token);
    return;
  }
  leaveQuickly<false>(T, N);
}

loopscope_token __loopscope_loop_enter(const loopscope_site *Site) noexcept {
  if (__loopscope_active == 0 || !isLoopKind(Site))
    return nullptr;
  if (const Entries *Other = otherRuntime())
    return Other->LoopEnter(Site);
  if (Self != nullptr)
    makeRoom(Self, false);
  SlowPath Path;
  Thread *T = Path ? attachThread() : nullptr;
  if (T == nullptr)
    return nullptr;
  if (isMuted(T))
    return nullptr;
  Node *N = expectedChild(T);
  if (links(N).Site != Site)
    N = findOrMakeChild(T, Site).Child;
  return N != nullptr && openLoop(T, N, now()) ? N : nullptr;
}

loopscope_token __loopscope_step_begin(loopscope_token Loop) noexcept {
  Thread *T = Fast;
  if (__builtin_expect(T == nullptr, false))
    return stepBeginElse(Loop);
  Node *Draw = links(T).Current;
  if (__builtin_expect(!isDrawOf(Draw, Loop), false))
    return stepBeginElse(Loop);
  return openBatch(T, Draw, readCounter());
}

void __loopscope_step_end(loopscope_token Token) noexcept {
  Thread *T = Fast;
  auto *Batch = static_cast<Node *>(Token);
  if (__builtin_expect(T == nullptr, false) ||
      __builtin_expect(links(T).Current != Batch, false)) {
    stepEndElse(Token);
    return;
  }
  endBatch(Batch);
  endStep(T, Batch, readCounter());
  calibrateIfDue(T, T->last_ticks);
}

void __loopscope_samples(loopscope_token Step, int64_t Samples) noexcept {
  Thread *T = Fast;
  auto *Batch = static_cast<Node *>(Step);
  if (__builtin_expect(T == nullptr, false) ||
      __builtin_expect(links(T).Current != Batch, false) ||
      __builtin_expect(!keepSamples(Batch, Samples), false))
    samplesElse(Step, Samples);
}

loopscope_token __loopscope_draw_enter(const loopscope_site *Site) noexcept {
  Thread *T = Self;
  if (T == nullptr)
    if (const Entries *Other = otherRuntime())
      return Other->DrawEnter(Site);
  if (T != nullptr && isMuted(T))
    return nullptr;
  Node *Batch = T == nullptr ? nullptr : batchToDrawFrom(T);
  if (Batch == nullptr)
    return __loopscope_enter(Site);
  Node *Draw = beginExplicitDraw(T, Batch, now());
  return reinterpret_cast<loopscope_token>(reinterpret_cast<uintptr_t>(Draw) |
                                           ExplicitDrawBit);
}

void __loopscope_missing_file(const char *FileName) noexcept {
  if (__loopscope_active == 0 || FileName == nullptr)
    return;
  if (const Entries *Other = otherRuntime()) {
    Other->MissingFile(FileName);
    return;
  }
  SlowPath Path;
  if (Path && ensureProfile())
    addMissingFile(FileName);
}
