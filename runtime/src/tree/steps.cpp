// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps, draws and batches.

#include "steps.h"

#include "base/clock.h"
#include "costs.h"
#include "events.h"
#include "extension.h"
#include "float_state.h"
#include "node_kinds.h"
#include "own_tree.h"
#include "schedule.h"
#include "spans.h"
#include "subscriptions.h"

#include <loopscope/profile_counters.h>

using namespace loopscope::runtime;

namespace {
// Whether N is a STEP of the kind that FLAGS say.
bool hasFlags(const Node *N, uint16_t Flags) {
  constexpr uint16_t OfKind = LOOPSCOPE_NODE_WARMUP | LOOPSCOPE_NODE_EXCLUDED;
  return (N->flags & OfKind) == Flags;
}

// The STEP of LOOP with FLAGS, with its DRAW and BATCH; made at the first
// visit. Null if out of memory.
Node *stepWith(Thread *T, Node *Loop, uint16_t Flags) {
  Node *Predicted = links(Loop).Cursor;
  if (__builtin_expect(Predicted != noChild() && hasFlags(Predicted, Flags),
                       true))
    return Predicted;
  // A STEP without a BATCH was made when memory ran out.
  Node *Found = findAmong(Loop, [Flags](Node *N) {
    return hasFlags(N, Flags) && links(N).FirstChild != noChild() &&
           links(links(N).FirstChild).Successor != links(N).FirstChild;
  });
  if (Found != nullptr)
    return Found;
  Node *Step =
      makeNode(T, Loop, Loop->site, LOOPSCOPE_KIND_STEP, Flags, nullptr);
  if (Step == nullptr)
    return nullptr;
  Node *Draw = makeNode(T, Step, Loop->site, LOOPSCOPE_KIND_DRAW, 0, nullptr);
  Node *Batch = Draw == nullptr ? nullptr
                                : makeNode(T, Step, Loop->site,
                                           LOOPSCOPE_KIND_BATCH, 0, nullptr);
  if (Batch == nullptr)
    return nullptr;
  links(Batch).Batch.Samples = NoSamples;
  callExtensions(&Extension::NewSteps, Step);
  return Step;
}

// Records the start of a step and of its draw in the timeline.
__attribute__((noinline)) void noteStep(Thread *T, Node *Step, Node *Draw,
                                        uint64_t Number, uint64_t Now) {
  noteEvent(T, LOOPSCOPE_EVENT_BEGIN, Step, Now);
  noteNumber(T, Step, Number);
  noteEvent(T, LOOPSCOPE_EVENT_BEGIN, Draw, Now);
}

// Records the end of a step and of its batch in the timeline.
__attribute__((noinline)) void noteStepEnd(Thread *T, Node *Batch, Node *Step,
                                           uint64_t Now) {
  noteEvent(T, LOOPSCOPE_EVENT_END, Batch, Now);
  noteEvent(T, LOOPSCOPE_EVENT_END, Step, Now);
}

// Step NUMBER of STEP begins at NOW, in the loop's header.
inline void drawFrom(ThreadLinks &L, Node *Step, uint64_t Number,
                     uint64_t Now) {
  Thread *T = L.Owner;
  Node *Draw = links(Step).FirstChild;
  Step->enter_ticks = Now;
  Draw->enter_ticks = Now;
  orderStores();
  Step->open = 1;
  Draw->open = 1;
  T->last_ticks = Now;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  L.Current = Draw;
  if (__builtin_expect(L.EventCursor != nullptr, false) &&
      links(Step).Step.IsMuted == 0)
    noteStep(T, Step, Draw, Number, Now);
}

// Adds STEP, with which an execution of LOOP began, to the sums of such steps.
void addFirst(const Node *Loop, Node *Step) {
  if ((Step->flags & LOOPSCOPE_NODE_WARMUP) != 0)
    return;
  bookCost(findSum(LOOPSCOPE_SUM_FIRST_STEPS), Loop, Step->last_ticks);
  bookCost(findSum(LOOPSCOPE_SUM_FIRST_DRAWS), Loop,
           links(Step).FirstChild->last_ticks);
}

// The fate of LOOP's step NUMBER, the INDEXth of this execution. CHANGE becomes
// the next number whose fate may differ.
StepFate fateOfNext(Thread *T, uint64_t Number, uint64_t Index,
                    uint64_t &Change) {
  Change = UINT64_MAX; // a resume changes it
  if (links(T).Pauses != 0)
    return StepFate::Excluded;
  StepFate Fate = StepSchedule.fateOf(Number, Index, Change);
  StepGate Gate = stepGate();
  if (Gate == StepGate::None)
    return Fate;
  Change = Number + 1;
  return Gate == StepGate::Closed ? StepFate::Excluded : Fate;
}

uint16_t flagsOf(StepFate Fate) {
  switch (Fate) {
  case StepFate::Warmup:
    return LOOPSCOPE_NODE_WARMUP;
  case StepFate::Excluded:
    return LOOPSCOPE_NODE_EXCLUDED;
  default:
    return 0;
  }
}

// Starts the next step of LOOP at NOW, in the loop's header. ENDED: the step
// that ended then; null for the loop's first and for one outside the window.
// Null if out of memory.
Node *beginStep(Thread *T, Node *Loop, Node *Ended, uint64_t Now) {
  uint64_t Number = links(Loop).Loop.Steps;
  uint64_t Change = 0;
  uint32_t Index = static_cast<uint32_t>(Number) - word(Loop).StepsBefore;
  StepFate Fate = fateOfNext(T, Number, Index, Change);
  if (Index == 0) // so that the second step comes here, too
    Change = Number + 1;
  else if (Index == 1 && Ended != nullptr)
    addFirst(Loop, Ended);
  Node *Step = stepWith(T, Loop, flagsOf(Fate));
  if (Step == nullptr)
    return nullptr;
  bool Muted = Fate == StepFate::Excluded;
  chooseFast(T, Muted);
  links(Step).Step.IsMuted = Muted ? 1 : 0;
  links(Loop).Cursor = Step;
  // What measures steps takes time from the loop, between two of its steps.
  uint64_t LookAt = Change;
  TicksTaken Taken = tellStepBorder(Ended, Muted ? nullptr : Step, Now, LookAt);
  links(Step).Step.NextChange = LookAt < Change ? LookAt : Change;
  if (Taken.All != 0) {
    bookCosts(Taken, Loop, false);
    Now += Taken.All;
  }
  drawFrom(links(T), Step, Number, Now);
  return Step;
}

// Step NUMBER follows another one of STEP at NOW.
inline void drawNext(ThreadLinks &L, Node *Step, uint64_t Number,
                     uint64_t Now) {
  // If memory for the other kind of step ran out, this kind goes on.
  if (__builtin_expect(Number < links(Step).Step.NextChange, true) ||
      beginStep(L.Owner, links(Step).Parent,
                links(Step).Step.IsMuted != 0 ? nullptr : Step, Now) == nullptr)
    drawFrom(L, Step, Number, Now);
}

// The same, with a report of the step's end to the extensions; the time it
// takes counts for the next draw.
__attribute__((noinline, cold)) void
drawWatched(Thread *T, Node *Step, uint64_t Number, uint64_t Now) {
  TicksTaken Taken = tellStepEnded(Step, Number, Now);
  drawNext(links(T), Step, Number, Now);
  if (Taken.All != 0)
    bookCosts(Taken, links(T).Current, false);
}

// Reports a border of a draw at NOW. PAYER is charged for the time; returns the
// time afterwards.
uint64_t tellDraw(Border What, Node *N, Node *Payer, uint64_t Now) {
  TicksTaken Taken = tellBorder(What, N, Now);
  bookCosts(Taken, Payer, false);
  return Now + Taken.All;
}

// Adds time to a node without a span.
void exclude(Node *N, uint64_t Duration) {
  N->uncounted_ticks += Duration;
  N->open = 0;
}

void addRate(Node *N, double Samples, uint64_t Ticks) {
  if (Ticks == 0)
    return;
  // Signed, because that takes one instruction; durations have 62 bits.
  N->rate_sum += Samples / static_cast<double>(static_cast<int64_t>(Ticks));
  ++N->rate_count;
}

// Notes whether STEP still has equal numbers of samples, before SAMPLES, of the
// step that has just been recorded, are added. Steps without a number can make
// it say so wrongly; a reader knows of them by rate_count.
void compareSamples(Node *Step, uint64_t Samples) {
  bool WereEqual = (Step->flags & LOOPSCOPE_NODE_EQUAL_SAMPLES) != 0;
  bool AreEqual = Step->rate_count == 0 ||
                  (WereEqual && Step->rate_count * Samples == Step->samples);
  if (AreEqual != WereEqual)
    __atomic_fetch_xor(&Step->flags, LOOPSCOPE_NODE_EQUAL_SAMPLES,
                       __ATOMIC_RELAXED);
}

// Samples and rates of a step that has just been recorded. Not inlined, so that
// no arithmetic moves out of the part with our own floating-point state.
__attribute__((noinline)) void recordSamples(Node *Step, Node *Batch,
                                             uint64_t Samples) {
  auto Count = static_cast<double>(static_cast<int64_t>(Samples));
  compareSamples(Step, Samples);
  Step->samples += Samples;
  addRate(Step, Count, Step->last_ticks);
  addRate(Batch, Count, Batch->last_ticks);
}

// Rates of what is below BATCH, in the step that ends. Not inlined, as above.
__attribute__((noinline)) void recordRates(Node *Batch, uint64_t Samples) {
  auto Count = static_cast<double>(static_cast<int64_t>(Samples));
  findAmong(Batch, [=](Node *N) {
    uint64_t Spent = N->sum_ticks - links(N).Phase.SumAtStep;
    links(N).Phase.SumAtStep = N->sum_ticks;
    addRate(N, Count, Spent);
    return false;
  });
}

// Remembers where the step begins, for the rates of nodes below BATCH. Used
// from the first step with samples on.
void markChildren(Node *Batch) {
  findAmong(Batch, [](Node *N) {
    links(N).Phase.SumAtStep = N->sum_ticks;
    return false;
  });
}

// The largest number of steps done by any loop that the path BELOW reaches from
// FROM. BELOW ends with null; a step in it matches steps of any kind.
uint64_t mostSteps(Node *From, Node *const *Below) {
  if (*Below == nullptr)
    return links(From).Loop.Steps;
  uint64_t Most = 0;
  findAmong(From, [&Most, Below](Node *N) {
    if (N->site != (*Below)->site || N->kind != (*Below)->kind)
      return false;
    uint64_t Steps = mostSteps(N, Below + 1);
    Most = Steps > Most ? Steps : Most;
    return false;
  });
  return Most;
}

// The steps that LOOP has done. Inside steps of another loop it has one node
// for each kind of those steps, and continues counting across them.
uint64_t stepsOf(Node *Loop) {
  Node *Path[MaxDepth + 2];
  Node **Below = Path + MaxDepth + 1;
  *Below = nullptr;
  // The outermost loop, and the path below it.
  Node *Top = nullptr;
  Node **BelowTop = nullptr;
  Node *N = Loop;
  do {
    *--Below = N;
    Node *Parent = links(N).Parent;
    if (N->kind == LOOPSCOPE_KIND_STEP) {
      Top = Parent;
      BelowTop = Below;
    }
    N = Parent;
  } while (N != nullptr && Below != Path);
  return Top == nullptr ? links(Loop).Loop.Steps : mostSteps(Top, BelowTop);
}
} // namespace

bool loopscope::runtime::openLoop(Thread *T, Node *Loop, uint64_t Now,
                                  KnownMark Of) {
  Node *Outer = links(T).Current;
  links(Loop).Loop.Steps = stepsOf(Loop);
  word(Loop).StepsBefore = static_cast<uint32_t>(links(Loop).Loop.Steps);
  beginSpan(T, Loop, Now, Of, true); // loops are entered on the slow path
  if (beginStep(T, Loop, nullptr, T->last_ticks) != nullptr)
    return true;
  Loop->open = 0;
  links(T).Current = Outer;
  return false;
}

Node *loopscope::runtime::beginBatch(Thread *T, Node *Draw, uint64_t Now,
                                     KnownMark Of) {
  Node *Batch = openBatch(links(T), Draw, Now, Of);
  if (isMeasured(Draw))
    T->last_ticks = tellDraw(Border::DrawEnded, Draw, Batch, Now);
  if (links(links(Draw).Parent).Step.IsMuted == 0) {
    noteEvent(T, LOOPSCOPE_EVENT_END, Draw, Now);
    noteEvent(T, LOOPSCOPE_EVENT_BEGIN, Batch, Now);
  }
  return Batch;
}

// Ends the step of BATCH at the time that CLOCK returns, and starts the next
// draw. What can be done before the clock is read comes first, so that less of
// the work falls between two readings. The program's floating-point state is on
// the stack: a node's memory may get lost at any moment (lost_file.h).
template <typename Function>
static inline __attribute__((always_inline)) void
endStepAt(Thread *T, Node *Batch, Function Clock) {
  ThreadLinks &L = links(T);
  Node *Step = links(Batch).Parent;
  Node *Draw = links(Step).FirstChild;
  Node *Loop = links(Step).Parent;
  bool IsMuted = links(Step).Step.IsMuted != 0;
  uint64_t Samples = IsMuted ? NoSamples : links(Batch).Batch.Samples;
  FloatState Floats{};
  if (Samples != NoSamples) {
    // Until recordSamples(): nothing of the program runs in between.
    Floats = setFloats(DefaultFloats);
    recordRates(Batch, Samples);
  } else if (Step->rate_count != 0 && !IsMuted) {
    markChildren(Batch);
  }
  uint64_t Now = Clock();
  uint64_t Waited = elapsed(Step->enter_ticks, Batch->enter_ticks);
  uint64_t Worked = elapsed(Batch->enter_ticks, Now);
  if (__builtin_expect(IsMuted, false)) {
    exclude(Draw, Waited);
    exclude(Batch, Worked);
    exclude(Step, Waited + Worked);
    count(LOOPSCOPE_COUNT_STEPS_EXCLUDED);
  } else {
    if (__builtin_expect(L.EventCursor != nullptr, false))
      noteStepEnd(T, Batch, Step, Now);
    record(Draw, Waited);
    record(Batch, Worked);
    record(Step, Waited + Worked);
    if (Samples != NoSamples) {
      recordSamples(Step, Batch, Samples);
      setFloats(Floats);
    }
  }
  links(Batch).Cursor = links(Batch).FirstChild;
  uint64_t Number = ++links(Loop).Loop.Steps;
  if (__builtin_expect(Subscriptions.StepsWatched, false))
    drawWatched(T, Step, Number, Now);
  else
    drawNext(L, Step, Number, Now);
}

void loopscope::runtime::endStepQuickly(Thread *T, Node *Batch) {
  endStepAt(T, Batch, readCounter);
}

// A step that ends in a pause, at NOW, isn't counted.
static void excludePaused(Thread *T, Node *Batch, uint64_t Now) {
  Node *Step = links(Batch).Parent;
  if (links(T).Pauses == 0 || links(Step).Step.IsMuted != 0)
    return;
  noteEvent(T, LOOPSCOPE_EVENT_END, Batch, Now);
  noteNumber(T, Step, LOOPSCOPE_EVENT_NO_STEP);
  noteEvent(T, LOOPSCOPE_EVENT_END, Step, Now);
  if (Step->rate_count != 0)
    markChildren(Batch);
  links(Step).Step.IsMuted = 1;
}

void loopscope::runtime::endStep(Thread *T, Node *Batch) {
  if (links(T).Pauses != 0)
    excludePaused(T, Batch, now());
  endStepAt(T, Batch, now);
}

// endStepAt() records the draw, the batch and the step in this order, so the
// counts say how far it came.
void loopscope::runtime::endLeftStep(Thread *T, Node *Batch, uint64_t Now) {
  Node *Step = links(Batch).Parent;
  Node *Draw = links(Step).FirstChild;
  bool TornDraw = giveUpRecord(Draw);
  bool TornBatch = giveUpRecord(Batch);
  bool TornStep = giveUpRecord(Step);
  bool HasDraw = TornDraw || Draw->count > Step->count;
  bool HasBatch = TornBatch || Batch->count > Step->count;
  bool HasStep = TornStep || Step->open == 0;
  if (!HasDraw && !HasBatch && !HasStep) {
    if (Batch->open == 0) // left before it began
      Batch->enter_ticks = Now;
    excludePaused(T, Batch, Now);
    endStepAt(T, Batch, [Now] { return Now; });
    return;
  }
  if (!HasBatch && !HasStep)
    record(Batch, elapsed(Batch->enter_ticks, Now));
  if (!HasStep)
    record(Step, Draw->last_ticks + Batch->last_ticks);
  links(Batch).Cursor = links(Batch).FirstChild;
  drawNext(links(T), Step, ++links(links(Step).Parent).Loop.Steps, Now);
}

void loopscope::runtime::endLoopDraw(Thread *T, Node *Draw, uint64_t Now) {
  Node *Step = links(Draw).Parent;
  uint64_t Tail = elapsed(Step->enter_ticks, Now);
  exclude(Step, Tail);
  exclude(Draw, Tail);
  links(Draw).Cursor = links(Draw).FirstChild;
  T->last_ticks = Now;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  links(T).Current = links(Step).Parent;
  if (links(Step).Step.IsMuted != 0) {
    links(Step).Step.IsMuted = 0;
    chooseFast(T, false);
  } else {
    noteEvent(T, LOOPSCOPE_EVENT_END, Draw, Now);
    noteEvent(T, LOOPSCOPE_EVENT_END, Step, Now);
  }
}

Node *loopscope::runtime::batchToDrawFrom(Thread *T) {
  for (Node *N = links(T).Current; N != nullptr; N = links(N).Parent) {
    if (isBatch(N))
      return N;
    if (isStepDraw(N))
      return nullptr;
  }
  return nullptr;
}

Node *loopscope::runtime::beginExplicitDraw(Thread *T, Node *Batch,
                                            uint64_t Now, KnownMark Of) {
  Node *Draw = links(links(Batch).Parent).FirstChild;
  Node *Interrupted = links(T).Current;
  links(Draw).StepDraw.Interrupted = Interrupted;
  openSpan(T, Draw, Now, Of);
  if (Subscriptions.BordersWatched)
    tellDraw(Border::ExplicitDrawBegan, Interrupted, Draw, Now);
  return Draw;
}

void loopscope::runtime::endExplicitDraw(Thread *T, Node *Draw, uint64_t Now) {
  uint64_t Waited = elapsed(Draw->enter_ticks, Now);
  Node *Interrupted = links(Draw).StepDraw.Interrupted;
  Node *Batch = links(Draw).Successor;
  noteEvent(T, LOOPSCOPE_EVENT_END, Draw, Now);
  Draw->open = 0;
  links(Draw).Cursor = links(Draw).FirstChild;
  for (Node *N = Interrupted;; N = links(N).Parent) {
    N->enter_ticks += Waited;
    if (N == Batch)
      break;
  }
  if (Subscriptions.BordersWatched)
    Now = tellDraw(Border::ExplicitDrawEnded, Interrupted, Interrupted, Now);
  T->last_ticks = Now;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  links(T).Current = Interrupted;
  links(Draw).StepDraw.Interrupted = nullptr;
}

void loopscope::runtime::setSamples(Node *Batch, int64_t Samples) {
  if (Samples < 0) {
    count(LOOPSCOPE_COUNT_BAD_SAMPLES);
    Samples = 0;
  }
  if (links(Batch).Batch.Samples == NoSamples &&
      links(Batch).Parent->rate_count == 0)
    markChildren(Batch);
  links(Batch).Batch.Samples = static_cast<uint64_t>(Samples);
}
