// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop's records are a chunk: places for samples, then for the longest steps.
// A loop's thread alone writes them.

#include "own_steps.h"

#include "extension.h"
#include "phase_times.h"
#include "work.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/own_floats.h"
#include "base/slow_lock.h"
#include "base/thread_memory.h"
#include "process/facts.h"
#include "profile/chunks.h"
#include "profile/profile_file.h"
#include "profile/sums.h"
#include "tree/slow_path.h"
#include "tree/subscriptions.h"

#include <loopscope/named_losses.h>

#include <string.h>
#include <sys/mman.h>

using namespace loopscope::runtime;

namespace {
using Record = loopscope_own_step;
constexpr uint32_t MostKept = 512; // samples of a loop
constexpr uint32_t MostLong = LOOPSCOPE_LONG_STEPS;
constexpr uint32_t MostLoops = 4;
constexpr uint32_t MostNodes = 1024; // below a step
constexpr uint32_t MostPhases = 64;  // with own time, in one look
// A wait shorter than this part of the time before it is none.
constexpr uint64_t SlackPart = 20;

struct SampledLoop {
  const Node *Step;
  Chunk *Records;
  uint64_t Stride;
  uint32_t Kept;
  uint32_t Free; // no place before this one is free
};
struct OwnStepsState {
  bool IsWanted;
  uint64_t Sequence;
  uint32_t Loops;
  SampledLoop Known[MostLoops];
};
OwnStepsState State;

// A phase's own time since the last look at a step's end; Pending: since the
// segment began.
struct PhaseSum {
  uint32_t Node;
  uint32_t MetNode;
  uint64_t Ticks;
  uint64_t Critical;
  uint64_t Met;
  uint64_t Pending;
};
struct ThreadSamples {
  PhaseTimes Times;
  // By loop: the steps done when this thread last looked at a step's end; 0: it
  // hasn't, and Times knows nothing of the loop.
  uint64_t Looked[MostLoops];
  Node *Sampled; // the STEP whose running step is a sample
  uint64_t SegmentTicks;
  uint64_t WaitTicks; // at the end of the segment
  uint64_t OwnTicks;
  uint32_t Count;
  PhaseSum Phases[MostPhases];
};
LOOPSCOPE_PER_THREAD(ThreadSamples *, Mine);

ThreadSamples *mine() {
  ThreadSamples *&T = *Mine;
  if (T == nullptr)
    T = static_cast<ThreadSamples *>(mapMemory(sizeof(ThreadSamples)));
  return T;
}

// The entry of the loop with this STEP; null if there are too many or memory
// ran out.
SampledLoop *loopOf(const Node *Step) {
  uint32_t Count = __atomic_load_n(&State.Loops, __ATOMIC_ACQUIRE);
  for (uint32_t I = 0; I < Count; ++I)
    if (State.Known[I].Step == Step)
      return &State.Known[I];
  if (Count == MostLoops)
    return nullptr;
  SlowPath Path(false);
  if (!Path)
    return nullptr;
  SlowLock Lock;
  if (State.Loops == MostLoops)
    return nullptr;
  Chunk *New = addChunk(LOOPSCOPE_CHUNK_OWN_STEPS, 0, MostKept + MostLong,
                        sizeof(Record), 0);
  if (New == nullptr)
    return nullptr;
  publish(New, MostKept + MostLong); // each record says whether it is used
  SampledLoop &Next = State.Known[State.Loops];
  Next = {Step, New, 1, 0, 0};
  __atomic_store_n(&State.Loops, State.Loops + 1, __ATOMIC_RELEASE);
  return &Next;
}

Record *recordsOf(const SampledLoop &L) {
  return reinterpret_cast<Record *>(entries(L.Records));
}

// Drops every second sample.
void doubleStride(SampledLoop &L) {
  constexpr uint64_t Most = uint64_t{1} << 63;
  if (L.Stride == Most)
    return;
  L.Stride *= 2;
  for (uint32_t I = 0; I < MostKept; ++I) {
    Record &Each = recordsOf(L)[I];
    if (Each.sequence == 0 || Each.step % L.Stride == 0)
      continue;
    __atomic_store_n(&Each.sequence, 0, __ATOMIC_RELEASE);
    --L.Kept;
  }
  L.Free = 0;
}

// A free place for a sample of step NUMBER; null if it isn't one.
Record *placeOfSample(SampledLoop &L, uint64_t Number) {
  if (Number % L.Stride != 0)
    return nullptr;
  if (L.Kept == MostKept)
    doubleStride(L);
  if (Number % L.Stride != 0)
    return nullptr;
  for (; L.Free < MostKept; ++L.Free)
    if (recordsOf(L)[L.Free].sequence == 0) {
      ++L.Kept;
      return &recordsOf(L)[L.Free++];
    }
  return nullptr;
}

// The place of the shortest of the longest steps if TICKS is longer, else null.
Record *placeOfLong(const SampledLoop &L, uint64_t Ticks) {
  Record *Least = recordsOf(L) + MostKept;
  for (uint32_t I = 1; I < MostLong; ++I)
    if (Record *Each = recordsOf(L) + MostKept + I; Each->ticks < Least->ticks)
      Least = Each;
  return Least->ticks < Ticks ? Least : nullptr;
}

// Whether the step that ended is much longer than usual.
bool isLong(const SampledLoop &L, const Node *Step) {
  constexpr uint64_t LeastSteps = 8;
  if (Step->count < LeastSteps)
    return false;
  uint64_t Mean = Step->sum_ticks / Step->count;
  return Step->last_ticks > Mean + Mean / 2 &&
         placeOfLong(L, Step->last_ticks) != nullptr;
}

void addPhase(ThreadSamples &T, const Node *N, uint64_t Ticks) {
  T.OwnTicks += Ticks;
  T.SegmentTicks += Ticks;
  for (uint32_t I = 0; I < T.Count; ++I)
    if (T.Phases[I].Node == N->index) {
      T.Phases[I].Pending += Ticks;
      return;
    }
  if (T.Count != MostPhases)
    T.Phases[T.Count++] = {N->index, LOOPSCOPE_NONE, 0, 0, 0, Ticks};
}

// Whether a wait's name begins with one of NAMES.
template <size_t Count>
bool beginsWithOne(const Node *N, const char *const (&Names)[Count]) {
  const loopscope_site *Site = siteOf(N);
  if (N->kind != LOOPSCOPE_KIND_WAIT || Site == nullptr)
    return false;
  for (const char *Each : Names)
    if (strncmp(Site->__name, Each, strlen(Each)) == 0)
      return true;
  return false;
}

// Functions that return at once even if others are late: what is waited for
// comes later, in the same segment. Programs poll with them millions of times,
// so they aren't watched: look() adds up their time.
bool continuesSegment(const Node *N) {
  constexpr const char *Names[] = {
      "MPI_Irecv", "MPI_Imrecv",   "MPI_Iprobe",   "MPI_Improbe",
      "MPI_Test",  "MPI_Parrived", "MPI_Win_test", "MPI_Request_get_status",
      "gloo:recv"};
  return beginsWithOne(N, Names);
}

// Functions that give others something they may be waiting for. How long they
// take doesn't matter.
bool sends(const Node *N) {
  constexpr const char *Names[] = {"MPI_Send",  "MPI_Ssend",  "MPI_Bsend",
                                   "MPI_Rsend", "MPI_I",      "MPI_Start",
                                   "MPI_Put",   "MPI_Pready", "gloo:"};
  // These wait for others all the same.
  constexpr const char *Blocking[] = {"MPI_Sendrecv", "MPI_Intercomm"};
  return beginsWithOne(N, Names) && !beginsWithOne(N, Blocking);
}

// N ends the segment; null: the step's end does.
void closeSegment(ThreadSamples &T, const Node *N) {
  bool IsCollective = N != nullptr && N->kind == LOOPSCOPE_KIND_COLLECTIVE;
  bool IsCritical =
      !IsCollective &&
      (N == nullptr || sends(N) || T.WaitTicks * SlackPart <= T.SegmentTicks);
  for (uint32_t I = 0; I < T.Count; ++I) {
    PhaseSum &Each = T.Phases[I];
    Each.Ticks += Each.Pending;
    Each.Critical += IsCritical ? Each.Pending : 0;
    if (!IsCritical && Each.Pending != 0) {
      Each.Met += Each.Pending;
      Each.MetNode = N->index;
    }
    Each.Pending = 0;
  }
  T.SegmentTicks = T.WaitTicks = 0;
}

// Looks at the phases below STEP; false if there are too many nodes. Sets the
// marks of waits if they change.
bool look(ThreadSamples &T, Node *Step, uint64_t Now, bool MarksChange,
          bool Marked) {
  return T.Times.visit(
      Step, Now, MostNodes,
      [&T](const Node *N, uint64_t Ticks) { addPhase(T, N, Ticks); },
      [=, &T](Node *N, uint64_t Ticks) {
        if (continuesSegment(N))
          T.WaitTicks += Ticks;
        else if (MarksChange && N->kind == LOOPSCOPE_KIND_WAIT)
          markSpans(CommExtension, N, Marked);
      });
}

// After a look at STEP that had to stop: what it was for is lost, later looks
// are rarer, and the waits that it came to aren't watched any more.
void lookLessOften(ThreadSamples &T, Node *Step, uint64_t Now) {
  addToCounter(LOOPSCOPE_COUNT_COMM_STEPS_LOST, 1);
  look(T, Step, Now, true, false);
  for (uint64_t &Each : T.Looked)
    Each = 0;
  if (SampledLoop *L = loopOf(Step))
    doubleStride(*L);
}

void write(Record &To, const ThreadSamples &T, const Node *Step,
           uint64_t Number, uint64_t Steps) {
  __atomic_store_n(&To.sequence, 0, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  To.step = Number;
  To.ticks = Step->last_ticks;
  To.own_ticks = T.OwnTicks;
  To.node = Step->index;
  To.steps = static_cast<uint32_t>(Steps);
  To.phase_count = 0;
  uint64_t Listed = UINT64_MAX;
  for (uint32_t P = 0; P < LOOPSCOPE_COLLECTIVE_PHASES; ++P) {
    const PhaseSum *Most = nullptr;
    for (uint32_t I = 0; I < T.Count; ++I) {
      const PhaseSum &Each = T.Phases[I];
      bool IsListed = Each.Ticks > Listed;
      for (uint32_t K = 0; K < P; ++K)
        IsListed |= To.phase_node[K] == Each.Node;
      if (!IsListed && (Most == nullptr || Each.Ticks > Most->Ticks))
        Most = &Each;
    }
    if (Most == nullptr)
      break;
    Listed = Most->Ticks;
    To.phase_node[P] = Most->Node;
    To.phase_ticks[P] = static_cast<float>(Most->Ticks);
    To.critical_ticks[P] = static_cast<float>(Most->Critical);
    To.met_ticks[P] = static_cast<float>(Most->Met);
    To.met_node[P] = Most->MetNode;
    To.phase_count = P + 1;
  }
  __atomic_store_n(&To.sequence,
                   __atomic_add_fetch(&State.Sequence, 1, __ATOMIC_RELAXED),
                   __ATOMIC_RELEASE);
}

bool isInWait(Node *N) {
  for (N = links(N).Parent; N != nullptr; N = links(N).Parent)
    if (isWait(N))
      return true;
  return false;
}

// The calling thread's samples if its running step is one and N is an outermost
// wait in it.
ThreadSamples *sampledAt(Node *N) {
  ThreadSamples *T = *Mine;
  if (T == nullptr || T->Sampled == nullptr || isInWait(N) ||
      outermostStep(N) != T->Sampled)
    return nullptr;
  return T;
}
} // namespace

void loopscope::runtime::registerOwnSteps() {
  registerCounter(LOOPSCOPE_COUNT_COMM_STEPS_LOST);
  if (Process.Rank.World > 1)
    wantOwnSteps();
}

void loopscope::runtime::wantOwnSteps() {
  __atomic_store_n(&State.IsWanted, true, __ATOMIC_RELAXED);
  watchSteps();
}

uint64_t loopscope::runtime::sampleStep(Node *Step, uint64_t Steps,
                                        uint64_t Now) {
  bool Counts = __atomic_load_n(&State.IsWanted, __ATOMIC_RELAXED) &&
                links(Step).Step.IsMuted == 0 &&
                (Step->flags & LOOPSCOPE_NODE_WARMUP) == 0 &&
                outermostStep(links(Step).Parent) == nullptr;
  SampledLoop *L = Counts ? loopOf(Step) : nullptr;
  ThreadSamples *T = L == nullptr ? nullptr : mine();
  if (T == nullptr)
    return 0;
  uint64_t Number = Steps - 1;
  uint64_t &Looked = T->Looked[L - State.Known];
  bool WasSample = T->Sampled == Step;
  bool IsNext = Steps % L->Stride == 0;
  // Without a look since the last one that didn't fit, there is nothing to
  // keep.
  bool IsKept = Looked != 0 && isLong(*L, Step);
  if (!WasSample && !IsNext && !IsKept)
    return 0;
  bool Fits = look(*T, Step, Now, WasSample != IsNext, IsNext);
  closeSegment(*T, nullptr);
  uint64_t Covered = Steps - Looked;
  Record *Sample = Fits && WasSample ? placeOfSample(*L, Number) : nullptr;
  Record *Long = Fits && IsKept ? placeOfLong(*L, Step->last_ticks) : nullptr;
  withOwnFloats([&] {
    if (Sample != nullptr)
      write(*Sample, *T, Step, Number, Covered);
    if (Long != nullptr)
      write(*Long, *T, Step, Number, Covered);
  });
  Looked = Steps;
  if (!Fits)
    lookLessOften(*T, Step, Now);
  T->Sampled = IsNext && Fits ? Step : nullptr;
  T->Count = 0;
  T->OwnTicks = 0;
  return elapsed(Now, now());
}

uint64_t loopscope::runtime::beginSampledWait(Node *N, uint64_t Now) {
  ThreadSamples *T = sampledAt(N);
  if (T == nullptr)
    return 0;
  if (!look(*T, T->Sampled, Now, false, false)) {
    lookLessOften(*T, T->Sampled, Now);
    T->Sampled = nullptr;
  }
  return elapsed(Now, now());
}

uint64_t loopscope::runtime::endSampledWait(Node *N, uint64_t Now) {
  ThreadSamples *T = sampledAt(N);
  if (T == nullptr)
    return 0;
  T->WaitTicks += N->last_ticks;
  closeSegment(*T, N);
  return elapsed(Now, now());
}

void loopscope::runtime::chooseSampledWait(Node *N) {
  if (N->kind == LOOPSCOPE_KIND_WAIT && !continuesSegment(N) &&
      sampledAt(N) != nullptr)
    markSpans(CommExtension, N, true);
}

void loopscope::runtime::forgetSamples() {
  if (*Mine != nullptr)
    munmap(*Mine, sizeof(ThreadSamples));
  *Mine = nullptr;
}

void loopscope::runtime::resetOwnSteps() {
  forgetSamples();
  State = {};
}
