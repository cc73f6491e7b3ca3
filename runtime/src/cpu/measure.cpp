// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which nodes are measured, and their sums.
//
// One measure serves all borders of the same moment: a span that begins where
// the last measure was taken shares it. A step's DRAW and BATCH are measured
// together with it. A node's first span begins with the thread's last measure
// if that is recent, and gets one at its end if it became long enough to pay
// for both. So a series of new call paths costs next to nothing, and a long
// span is measured from the start.

#include "measure.h"

#include "measured.h"

#include "base/clock.h"
#include "base/kernel_time.h"
#include "base/thread_memory.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"
#include "tree/node_kinds.h"
#include "tree/subscriptions.h"
#include "tree/tree.h"

#include <errno.h>

using namespace loopscope::runtime;

CpuMode loopscope::runtime::CpuWanted = CpuMode::Auto;

namespace {
struct MeasureState {
  // The cost of a measure, and the extra cost of the run queue.
  Price Cpu{1};
  Price Starved{1};
  // Processor time that the measure at its end adds to a span.
  uint64_t OwnNs;
};
constinit MeasureState State = {};

// The calling thread's last measure.
struct LastMeasure {
  Usage What;
  uint64_t Until; // valid for moments up to here; 0: none
  uint64_t Began; // start of the measure
  bool IsNew;     // taken at the current border
  bool Busy;      // hooks of signal handlers stay out meanwhile
};
LOOPSCOPE_PER_THREAD(LastMeasure, Last);

// The calling thread's current cut.
struct OpenCut {
  Usage Start;
  bool IsKnown;
};
LOOPSCOPE_PER_THREAD(OpenCut, Cut);

class Entry {
public:
  Entry() : Entered(!Last->Busy), Errno(errno) { Last->Busy = true; }
  ~Entry() {
    errno = Errno;
    if (Entered)
      Last->Busy = false;
  }
  explicit operator bool() const { return Entered; }
  Entry(const Entry &) = delete;
  Entry &operator=(const Entry &) = delete;

private:
  bool Entered;
  int Errno;
};

// The measure of the border at NOW; COUNT grows if it is a new one. False if
// nothing can be read.
bool take(Usage &Into, bool WithStarved, uint64_t Now, uint32_t &Count) {
  if (Now <= Last->Until && (!WithStarved || Last->What.HasStarved ||
                             isUnreadable(Unreadable::Starved))) {
    Into = Last->What;
    return true;
  }
  Last->Began = now();
  if (isUnreadable(Unreadable::Clock) || !readUsage(Last->What, WithStarved)) {
    Last->Until = 0;
    return false;
  }
  // For the other spans of this border; the border's end moves it.
  Last->Until = Now;
  Last->IsNew = true;
  ++Count;
  Into = Last->What;
  return true;
}

// The node in whose self time the border WHAT of N is (AtBorder).
Node *payerOf(Border What, Node *N) {
  switch (What) {
  case Border::SpanBegins:
  case Border::SpanEnded:
    return links(N).Parent;
  case Border::DrawEnded:
    return links(N).Successor; // the BATCH
  default:
    return N;
  }
}

// Ends a border in the self time of PAYER at NOW; returns the ticks that it
// took, 0 if it had no measure of its own. All of them are the profiler's, also
// if other threads ran meanwhile: they are no part of what the program did.
uint64_t finish(const Node *Payer, uint64_t Now) {
  if (!Last->IsNew)
    return 0;
  Last->IsNew = false;
  uint64_t Taken = now() - Last->Began;
  if (isWrong(Taken))
    Taken = 0;
  Last->Until = Now + Taken;
  uint64_t Plain = State.Cpu.ticks();
  bool IsPlain = !Last->What.HasStarved;
  Price &Of = IsPlain ? State.Cpu : State.Starved;
  uint64_t Rest = IsPlain ? Taken : Taken > Plain ? Taken - Plain : 0;
  if (uint64_t Others = Rest - Of.costOf(Rest))
    addInterrupted(Payer, Others);
  Of.paid(Rest);
  return Taken;
}

// A times B / C, of which the product may have 128 bits.
uint64_t scaled(uint64_t A, uint64_t B, uint64_t C) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>(static_cast<Wide>(A) * B / C);
}

// Adds a measured span of N of WALL ticks, minus what its last measure added to
// it: its own processor time, and the wait if that measure was interrupted.
void addSpan(const Node *N, uint64_t Wall, Usage Used) {
  Used.CpuNs = Used.CpuNs > State.OwnNs ? Used.CpuNs - State.OwnNs : 0;
  uint64_t WallNs = scaled(Wall, NsPerSecond, calibratedHz(*Header));
  Used.StarvedNs = Used.StarvedNs < WallNs ? Used.StarvedNs : WallNs;
  addMeasured(N, Wall, Used);
}

void rest(Measured &M, const Node *N) {
  M.IsOn = M.WithStarved = false;
  M.LookedSum = N->sum_ticks;
  M.LookedCount = N->count;
}

// The part of a span of WALL ticks that its measures can be charged to: without
// the time in which other threads had the processor. Measures cost processor
// time, and a busy machine stretches both alike.
uint64_t ownTime(uint64_t Wall, const Usage &Used) {
  // With too few ticks, the span seems shorter, and its measures more
  // expensive.
  uint64_t Own = Wall;
  if (Used.HasStarved) {
    uint64_t Starved =
        scaled(Used.StarvedNs, calibratedHz(*Header), NsPerSecond);
    Own = Wall > Starved ? Wall - Starved : 0;
  } else if (Used.Involuntary != 0 && Used.Voluntary == 0) {
    Own = scaled(Used.CpuNs, calibratedHz(*Header),
                 NsPerSecond); // it never waited voluntarily
  }
  return Own < Wall ? Own : Wall;
}

// After a measured span of N, with usage USED: decides whether to measure the
// next one.
void decide(Measured &M, const Node *N, uint64_t Duration, const Usage &Used) {
  uint64_t Own = ownTime(Duration, Used);
  M.LastMeasures = M.Measures != 0 ? M.Measures : 1;
  if (CpuWanted == CpuMode::Auto &&
      !M.Cpu.spend(Own, M.Measures, State.Cpu.ticks())) {
    rest(M, N);
    return;
  }
  // The whole measure: both parts together keep within the budget.
  uint64_t Cost = State.Cpu.ticks() + State.Starved.ticks();
  if (M.WithStarved)
    M.WithStarved = M.Starved.spend(Own, M.Measures, Cost);
  else
    M.WithStarved = !isUnreadable(Unreadable::Starved) &&
                    M.Starved.begin(Own, M.LastMeasures, Cost);
}

// The mean duration of N's spans since the last look; 0 without any.
uint64_t lookAt(Measured &M, const Node *N) {
  uint64_t Count = N->count - M.LookedCount;
  uint64_t Sum = N->sum_ticks - M.LookedSum;
  M.LookedCount = N->count;
  M.LookedSum = N->sum_ticks;
  return Count == 0 ? 0 : Sum / Count;
}

bool wakes(Measured &M, uint64_t Mean) {
  M.IsOn = !isUnreadable(Unreadable::Clock) &&
           M.Cpu.begin(Mean, M.LastMeasures, State.Cpu.ticks());
  return M.IsOn;
}

void begin(Measured &M, const Usage &Start, uint32_t Measures) {
  M.Start = Start;
  M.Measures = Measures;
  M.StartAge = 0;
  M.Open = true;
  M.DrawKnown = M.DrawOpen = false;
}

// A first span may begin with a measure this many times older than a measure's
// price: measures then take at most 3 % of a series of first spans.
constexpr uint64_t MostAge = 32;

// Begins a node's first span with the thread's last measure; false if that is
// too old.
bool beginWithLast(Measured &M, uint64_t Now) {
  if (CpuWanted != CpuMode::Auto || Last->Until == 0 ||
      Now > Last->Until + MostAge * State.Cpu.ticks())
    return false;
  begin(M, Last->What, 0);
  M.StartAge = Now > Last->Until ? Now - Last->Until : 0;
  return true;
}

void beginSpanOf(Node *N, uint64_t Now) {
  Measured *M = findMeasured(N);
  if (M == nullptr || (M->IsFirst && beginWithLast(*M, Now)))
    return;
  Usage Start;
  uint32_t Measures = 0;
  M->Open = false;
  if (take(Start, M->WithStarved, Now, Measures))
    begin(*M, Start, Measures);
}

// Whether a node's first span, of WALL ticks, is worth a measure at its end:
// both measures and the error of its early start must stay within the budget.
bool isFirstWorth(const Measured &M, uint64_t Wall) {
  uint64_t Cost = (M.Measures + 1) * State.Cpu.ticks();
  return Wall / Budget::Part >= (Cost > M.StartAge ? Cost : M.StartAge);
}

void endSpanOf(Node *N, uint64_t Now) {
  Measured *M = findMeasured(N);
  if (M == nullptr)
    return;
  Usage End;
  uint64_t Wall = Now - N->enter_ticks;
  bool WasFirst = M->IsFirst;
  M->IsFirst = false;
  if (WasFirst && M->Open && CpuWanted == CpuMode::Auto &&
      !isFirstWorth(*M, Wall)) {
    // If only the gap after its measure was too long, the next span is
    // measured.
    if (!M->Cpu.begin(Wall, M->LastMeasures, State.Cpu.ticks()))
      rest(*M, N);
  } else if (M->Open && take(End, M->WithStarved, Now, M->Measures)) {
    Usage Used = End - M->Start;
    addSpan(N, Wall, Used);
    decide(*M, N, Wall, Used);
  } else if (isUnreadable(Unreadable::Clock) || !M->Open) {
    rest(*M, N); // a cut may have ended the measure: it was for nothing
  }
  M->Open = false;
  if (!M->IsOn)
    measureSpans(N, false);
}

void endDrawOf(Node *Draw, uint64_t Now) {
  Measured *M = findMeasured(links(Draw).Parent);
  Usage End;
  if (M == nullptr || !M->Open || !take(End, false, Now, M->Measures))
    return;
  M->Drawn = End - M->Start;
  M->DrawKnown = true;
}

// Calls VISIT for each measured node from N, inside a BATCH, up to the BATCH
// and its STEP; returns the STEP's data.
template <typename Function> Measured *forOpenAround(Node *N, Function Visit) {
  while (!isBatch(N)) {
    if (Measured *M = findMeasured(N); M != nullptr && M->Open)
      Visit(*M);
    N = links(N).Parent;
  }
  Measured *OfStep = findMeasured(links(N).Parent);
  if (OfStep != nullptr && OfStep->Open)
    Visit(*OfStep);
  return OfStep;
}

void beginExplicitDrawIn(Node *Interrupted, uint64_t Now) {
  bool Needed = false;
  bool WithStarved = false;
  Measured *OfStep = forOpenAround(Interrupted, [&](const Measured &M) {
    Needed = true;
    WithStarved |= M.WithStarved;
  });
  if (OfStep != nullptr && Needed)
    OfStep->DrawOpen =
        take(OfStep->DrawStart, WithStarved, Now, OfStep->Measures);
}

void endExplicitDrawIn(Node *Interrupted, uint64_t Now) {
  bool WithStarved = false;
  Measured *OfStep = forOpenAround(
      Interrupted, [&](const Measured &M) { WithStarved |= M.WithStarved; });
  if (OfStep == nullptr || !OfStep->DrawOpen)
    return;
  OfStep->DrawOpen = false;
  Usage End;
  if (!take(End, WithStarved, Now, OfStep->Measures))
    return;
  Usage Drawn = End - OfStep->DrawStart;
  // The draw is time of the step, but of no node in between.
  forOpenAround(Interrupted, [&](Measured &M) {
    if (&M != OfStep)
      M.Start = M.Start + Drawn;
  });
  if (OfStep->DrawKnown)
    OfStep->Drawn = OfStep->Drawn + Drawn;
}

// Calls VISIT for each measured node among N and the nodes around it.
template <typename Function> void forAllAround(Node *N, Function Visit) {
  for (; N != nullptr; N = nodeAround(N))
    if (Measured *M = findMeasured(N); M != nullptr && M->Open)
      Visit(*M);
}

// Measures a border of a cut; false if that fails. The time that it takes, and
// its price, count for everything that is open.
bool takeAtCut(Usage &Into, Node *Interrupted, uint64_t Now) {
  bool Needed = false;
  bool WithStarved = false;
  forAllAround(Interrupted, [&](const Measured &M) {
    Needed = true;
    WithStarved |= M.WithStarved;
  });
  uint32_t Measures = 0;
  if (!Needed || !take(Into, WithStarved, Now, Measures))
    return false;
  forAllAround(Interrupted, [&](Measured &M) { M.Measures += Measures; });
  return true;
}

// Usage during the cut counts for nothing that is open.
void endCutIn(Node *Interrupted, uint64_t Now) {
  Usage End;
  bool IsKnown = Cut->IsKnown && takeAtCut(End, Interrupted, Now);
  Cut->IsKnown = false;
  Usage Used = End - Cut->Start;
  forAllAround(Interrupted, [&](Measured &M) {
    if (IsKnown)
      M.Start = M.Start + Used;
    if (IsKnown && M.DrawOpen)
      M.DrawStart = M.DrawStart + Used;
    M.Open = IsKnown;
  });
}

// A measured STEP ended at NOW.
void endStepOf(Measured &M, Node *Step, uint64_t Now) {
  Usage End;
  M.Open = false;
  if (!take(End, M.WithStarved, Now, M.Measures))
    return;
  Usage Used = End - M.Start;
  addSpan(Step, Step->last_ticks, Used);
  if (M.DrawKnown) {
    const Node *Draw = links(Step).FirstChild;
    const Node *Batch = links(links(Step).FirstChild).Successor;
    Usage Drawn = M.Drawn;
    Drawn.HasStarved = false;
    addSpan(Draw, Draw->last_ticks, Drawn);
    addSpan(Batch, Batch->last_ticks, Used - Drawn);
  }
  decide(M, Step, Step->last_ticks, Used);
}

// Resting steps are checked four times per second; in ticks.
uint64_t lookEvery() { return TicksPerSecond / 4; }
} // namespace

void loopscope::runtime::registerMeasures() {
  registerMeasuredSums();
  registerUnreadable();
}

void loopscope::runtime::startMeasuring() {
  if (CpuWanted == CpuMode::Off)
    return;
  int Saved = errno;
  // Guesses, soon outweighed.
  constexpr uint64_t CpuNs = 700;
  constexpr uint64_t StarvedNs = 10000;
  State.Cpu = Price(CpuNs * TicksPerSecond / NsPerSecond + 1);
  State.Starved = Price(StarvedNs * TicksPerSecond / NsPerSecond + 1);
  State.OwnNs = UINT64_MAX;
  Usage Before;
  Usage After;
  for (int I = 0; I < 8 && readUsage(Before, false); ++I)
    if (readUsage(After, false) && After.CpuNs - Before.CpuNs < State.OwnNs)
      State.OwnNs = After.CpuNs - Before.CpuNs;
  errno = Saved;
  if (State.OwnNs == UINT64_MAX)
    State.OwnNs = 0;
  // Refused readings are counted once counters exist: at the first measure.
  resetUnreadable();
  measureBorders();
}

uint64_t loopscope::runtime::measureNewPath(Node *N) {
  if (CpuWanted != CpuMode::Off && findOrMakeMeasured(N) != nullptr)
    measureSpans(N, true);
  return 0;
}

uint64_t loopscope::runtime::measureBorder(Border What, Node *N, uint64_t Now) {
  Entry Mine;
  if (!Mine)
    return 0;
  switch (What) {
  case Border::SpanBegins:
    beginSpanOf(N, Now);
    break;
  case Border::SpanEnded:
    endSpanOf(N, Now);
    break;
  case Border::DrawEnded:
    endDrawOf(N, Now);
    break;
  case Border::ExplicitDrawBegan:
    beginExplicitDrawIn(N, Now);
    break;
  case Border::ExplicitDrawEnded:
    endExplicitDrawIn(N, Now);
    break;
  case Border::CutBegan:
    Cut->IsKnown = takeAtCut(Cut->Start, N, Now);
    break;
  case Border::CutEnded:
    endCutIn(N, Now);
    break;
  }
  return finish(payerOf(What, N), Now);
}

uint64_t loopscope::runtime::measureStepBorder(Node *Ended, Node *Next,
                                               uint64_t Now, uint64_t &LookAt) {
  Entry Mine;
  if (!Mine || (Ended == nullptr && Next == nullptr))
    return 0;
  Node *Loop = links(Ended != nullptr ? Ended : Next).Parent;
  uint64_t Mean = 0;
  if (Measured *M = Ended == nullptr ? nullptr : findMeasured(Ended)) {
    Mean = M->Open ? Ended->last_ticks : lookAt(*M, Ended);
    if (M->Open)
      endStepOf(*M, Ended, Now);
    else if (!M->IsOn)
      wakes(*M, Mean);
  }
  Measured *M = Next == nullptr ? nullptr : findOrMakeMeasured(Next);
  if (M == nullptr)
    return finish(Loop, Now);
  Usage Start;
  uint32_t Measures = 0;
  M->Open = false;
  if (M->IsOn && take(Start, M->WithStarved, Now, Measures))
    begin(*M, Start, Measures);
  measureSpans(links(Next).FirstChild, M->Open);
  uint64_t Steps = links(Loop).Loop.Steps;
  LookAt = Steps + (M->Open || Mean == 0 ? 1 : lookEvery() / Mean);
  return finish(Loop, Now);
}

void loopscope::runtime::lookThrough(Thread *T) {
  if (CpuWanted != CpuMode::Auto)
    return;
  Node *Root = rootOf(T);
  // Depth first, along the rings of children.
  Node *N = links(Root).FirstChild;
  while (N != Root && N != noChild()) {
    Measured *M = findMeasured(N);
    if (M != nullptr && M->IsKnown && !M->IsOn &&
        N->kind != LOOPSCOPE_KIND_STEP && wakes(*M, lookAt(*M, N)))
      measureSpans(N, true);
    if (links(N).FirstChild != noChild()) {
      N = links(N).FirstChild;
      continue;
    }
    while (N != Root && links(N).Successor == links(links(N).Parent).FirstChild)
      N = links(N).Parent;
    if (N != Root)
      N = links(N).Successor;
  }
}

void loopscope::runtime::resetMeasuring() {
  forgetMeasured();
  *Last = {};
  *Cut = {};
  resetUnreadable();
}
