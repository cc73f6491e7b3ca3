// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which nodes are measured, and their sums.
//
// A measure is taken once for all borders of one moment: what begins where the
// last measure was taken shares it. A node's first span is measured, whatever
// it costs; a step has its DRAW and BATCH measured with it.

#include "measure.h"

#include "budget.h"
#include "usage.h"

#include "core/clock.h"
#include "core/cut.h"
#include "core/process.h"
#include "core/profile_file.h"
#include "core/steps.h"
#include "core/threads.h"

#include <errno.h>
#include <sys/mman.h>

using namespace loopscope::runtime;

CpuMode loopscope::runtime::CpuWanted = CpuMode::Auto;

namespace {
// What is kept of a node; of the nodes of a step, with the STEP.
struct Measured {
  Usage Start;     // of the open span
  Usage Drawn;     // STEP: by its draws, once DrawKnown
  Usage DrawStart; // STEP: of an explicit draw, while DrawOpen
  Budget Cpu;
  Budget Starved;
  uint64_t LookedSum; // ticks and spans when it was last looked at
  uint64_t LookedCount;
  uint32_t Measures; // of the open span so far
  uint32_t LastMeasures;
  bool IsKnown;
  bool IsOn;        // its next span is measured
  bool WithStarved; // with the time on the run queue
  bool Open;        // Start is the open span's
  bool DrawKnown;
  bool DrawOpen;
};

constexpr uint32_t PerPage = 16;
struct Page {
  Measured Of[PerPage];
};

// The sums, in the order of their keys.
enum Sum : uint32_t {
  SumWall,
  SumCpu,
  SumMinor,
  SumMajor,
  SumVoluntary,
  SumInvoluntary,
  SumStarvedWall,
  SumStarved,
  SumCount
};
struct SumKind {
  const char *Key;
  loopscope_sum_unit Unit;
};
constexpr SumKind Kinds[SumCount] = {
    {LOOPSCOPE_SUM_CPU_WALL, LOOPSCOPE_SUM_TICKS},
    {LOOPSCOPE_SUM_CPU_TIME, LOOPSCOPE_SUM_NS},
    {LOOPSCOPE_SUM_CPU_MINOR_FAULTS, LOOPSCOPE_SUM_NUMBER},
    {LOOPSCOPE_SUM_CPU_MAJOR_FAULTS, LOOPSCOPE_SUM_NUMBER},
    {LOOPSCOPE_SUM_CPU_VOLUNTARY, LOOPSCOPE_SUM_NUMBER},
    {LOOPSCOPE_SUM_CPU_INVOLUNTARY, LOOPSCOPE_SUM_NUMBER},
    {LOOPSCOPE_SUM_CPU_STARVED_WALL, LOOPSCOPE_SUM_TICKS},
    {LOOPSCOPE_SUM_CPU_STARVED, LOOPSCOPE_SUM_NS}};

struct MeasureState {
  SumId Sums[SumCount];
  // A measure's cost, and what the run queue adds; first guesses, soon
  // outweighed.
  Price Cpu{1500};
  Price Starved{20000};
  // Processor time that the measure at its end adds to a span.
  uint64_t OwnNs;
  Page *Pages[MaxNodes / PerPage];
};
constinit MeasureState State = {};

// The calling thread's last measure.
struct LastMeasure {
  Usage What;
  uint64_t Until; // it holds for moments up to here; 0: none
  uint64_t Began; // when it was taken
  bool IsNew;     // at the present border
  bool Busy;      // a signal handler's hooks stay out meanwhile
};
__thread LastMeasure Last __attribute__((tls_model("initial-exec"))) = {};

// The cut that the calling thread is in.
struct OpenCut {
  Usage Start;
  bool IsKnown;
};
__thread OpenCut Cut __attribute__((tls_model("initial-exec"))) = {};

class Entry {
public:
  Entry() : Entered(!Last.Busy), Errno(errno) { Last.Busy = true; }
  ~Entry() {
    errno = Errno;
    if (Entered)
      Last.Busy = false;
  }
  explicit operator bool() const { return Entered; }
  Entry(const Entry &) = delete;
  Entry &operator=(const Entry &) = delete;

private:
  bool Entered;
  int Errno;
};

Measured *find(const Node *N) {
  Page *P = __atomic_load_n(&State.Pages[N->index / PerPage], __ATOMIC_ACQUIRE);
  return P == nullptr ? nullptr : &P->Of[N->index % PerPage];
}

// Null without memory.
Measured *findOrMake(const Node *N) {
  Page *&P = State.Pages[N->index / PerPage];
  if (__atomic_load_n(&P, __ATOMIC_ACQUIRE) == nullptr) {
    void *New = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (New == MAP_FAILED)
      return nullptr;
    Page *None = nullptr;
    if (!__atomic_compare_exchange_n(&P, &None, static_cast<Page *>(New), false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      munmap(New, sizeof(Page));
  }
  Measured *M = find(N);
  if (!M->IsKnown) {
    M->IsKnown = true;
    M->IsOn = true;
    M->LastMeasures = 2;
  }
  return M;
}

// The measure of the border at NOW; COUNT grows if it is a new one. False where
// nothing can be read.
bool take(Usage &Into, bool WithStarved, uint64_t Now, uint32_t &Count) {
  if (Now <= Last.Until && (!WithStarved || Last.What.HasStarved ||
                            isUnreadable(Unreadable::Starved))) {
    Into = Last.What;
    return true;
  }
  Last.Began = now();
  if (isUnreadable(Unreadable::Clock) || !readUsage(Last.What, WithStarved)) {
    Last.Until = 0;
    return false;
  }
  // For the other spans of this border; its end moves it on.
  Last.Until = Now;
  Last.IsNew = true;
  ++Count;
  Into = Last.What;
  return true;
}

// Ends the border at NOW; gives the ticks that it cost, 0 without a measure of
// its own.
uint64_t finish(uint64_t Now) {
  if (!Last.IsNew)
    return 0;
  Last.IsNew = false;
  uint64_t Taken = now() - Last.Began;
  if (isWrong(Taken))
    Taken = 0;
  Last.Until = Now + Taken;
  uint64_t Plain = State.Cpu.ticks();
  if (!Last.What.HasStarved) {
    uint64_t Cost = State.Cpu.costOf(Taken);
    State.Cpu.paid(Taken);
    return Cost;
  }
  uint64_t Added = Taken > Plain ? Taken - Plain : 0;
  uint64_t Cost = Taken - Added + State.Starved.costOf(Added);
  State.Starved.paid(Added);
  return Cost;
}

bool addTo(Sum Of, const Node *N, uint64_t Amount) {
  if (addToKnownNode(State.Sums[Of], N->index, Amount))
    return true;
  SlowPath Path(false);
  return Path && addToNode(State.Sums[Of], N->index, Amount);
}

// Adds a span of N that took WALL ticks. Where there is no room the span counts
// as not measured. Wall times come before their parts, and both count the span,
// so that a reader sees where the process ended between them.
void add(const Node *N, uint64_t Wall, const Usage &Used) {
  if (!addTo(SumWall, N, Wall))
    return;
  addTo(SumCpu, N, Used.CpuNs > State.OwnNs ? Used.CpuNs - State.OwnNs : 0);
  const uint64_t Numbers[] = {Used.MinorFaults, Used.MajorFaults,
                              Used.Voluntary, Used.Involuntary};
  for (uint32_t I = 0; I < 4; ++I)
    if (Numbers[I] != 0)
      addTo(static_cast<Sum>(SumMinor + I), N, Numbers[I]);
  if (Used.HasStarved && addTo(SumStarvedWall, N, Wall))
    addTo(SumStarved, N, Used.StarvedNs);
}

void rest(Measured &M, const Node *N) {
  M.IsOn = M.WithStarved = false;
  M.LookedSum = N->sum_ticks;
  M.LookedCount = N->count;
}

// Of a span of WALL ticks, the time that its measures may be a part of: without
// the time in which other threads had the processor. Measures cost processor
// time, and a busy machine makes both longer alike.
uint64_t ownTime(uint64_t Wall, const Usage &Used) {
  // Too few ticks make a span short and its measures dear, until the rate is
  // known.
  uint64_t Rate = Header->nominal_hz == 0 ? NsPerSecond : Header->nominal_hz;
  auto Ticks = [&](uint64_t Ns) {
    return static_cast<uint64_t>(static_cast<double>(Ns) *
                                 static_cast<double>(Rate) /
                                 static_cast<double>(NsPerSecond));
  };
  uint64_t Own = Wall;
  if (Used.HasStarved) {
    uint64_t Starved = Ticks(Used.StarvedNs);
    Own = Wall > Starved ? Wall - Starved : 0;
  } else if (Used.Involuntary != 0 && Used.Voluntary == 0) {
    Own = Ticks(Used.CpuNs); // it never waited by itself
  }
  return Own < Wall ? Own : Wall;
}

// After a measured span of N, which USED that much: whether the next one is
// measured, too.
void decide(Measured &M, const Node *N, uint64_t Duration, const Usage &Used) {
  uint64_t Own = ownTime(Duration, Used);
  M.LastMeasures = M.Measures != 0 ? M.Measures : 1;
  if (CpuWanted == CpuMode::Auto &&
      !M.Cpu.spend(Own, M.Measures, State.Cpu.ticks())) {
    rest(M, N);
    return;
  }
  // Of the whole measure: both together keep to the bound.
  uint64_t Cost = State.Cpu.ticks() + State.Starved.ticks();
  if (M.WithStarved)
    M.WithStarved = M.Starved.spend(Own, M.Measures, Cost);
  else
    M.WithStarved = !isUnreadable(Unreadable::Starved) &&
                    M.Starved.begin(Own, M.LastMeasures, Cost);
}

// The mean duration of N's spans since it was last looked at; 0 without any.
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
  M.Open = true;
  M.DrawKnown = M.DrawOpen = false;
}

void beginSpanOf(Node *N, uint64_t Now) {
  Measured *M = find(N);
  if (M == nullptr)
    return;
  Usage Start;
  uint32_t Measures = 0;
  M->Open = false;
  if (take(Start, M->WithStarved, Now, Measures))
    begin(*M, Start, Measures);
}

void endSpanOf(Node *N, uint64_t Now) {
  Measured *M = find(N);
  if (M == nullptr)
    return;
  Usage End;
  uint64_t Wall = Now - N->enter_ticks;
  if (M->Open && take(End, M->WithStarved, Now, M->Measures)) {
    Usage Used = End - M->Start;
    add(N, Wall, Used);
    decide(*M, N, Wall, Used);
  } else if (isUnreadable(Unreadable::Clock)) {
    rest(*M, N);
  }
  M->Open = false;
  if (!M->IsOn)
    measureSpans(N, false);
}

void endDrawOf(Node *Draw, uint64_t Now) {
  Measured *M = find(links(Draw).Parent);
  Usage End;
  if (M == nullptr || !M->Open || !take(End, false, Now, M->Measures))
    return;
  M->Drawn = End - M->Start;
  M->DrawKnown = true;
}

// Calls VISIT of what is measured among the nodes from N, within a BATCH, up to
// that and its STEP, whose own it gives.
template <typename Function> Measured *forOpenAround(Node *N, Function Visit) {
  while (!isBatch(N)) {
    if (Measured *M = find(N); M != nullptr && M->Open)
      Visit(*M);
    N = links(N).Parent;
  }
  Measured *OfStep = find(links(N).Parent);
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
  // The draw is time of the step, and of nothing between.
  forOpenAround(Interrupted, [&](Measured &M) {
    if (&M != OfStep)
      M.Start = M.Start + Drawn;
  });
  if (OfStep->DrawKnown)
    OfStep->Drawn = OfStep->Drawn + Drawn;
}

// Calls VISIT of what is measured among N and the nodes around it.
template <typename Function> void forAllAround(Node *N, Function Visit) {
  for (; N != nullptr; N = nodeAround(N))
    if (Measured *M = find(N); M != nullptr && M->Open)
      Visit(*M);
}

// A border of a cut; false where there is no measure. What it takes is time of
// all that is open, and so is its price.
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

// What was used in the cut is in nothing that is open.
void endCutIn(Node *Interrupted, uint64_t Now) {
  Usage End;
  bool IsKnown = Cut.IsKnown && takeAtCut(End, Interrupted, Now);
  Cut.IsKnown = false;
  Usage Used = End - Cut.Start;
  forAllAround(Interrupted, [&](Measured &M) {
    if (IsKnown)
      M.Start = M.Start + Used;
    if (IsKnown && M.DrawOpen)
      M.DrawStart = M.DrawStart + Used;
    M.Open = IsKnown;
  });
}

// A measured STEP that ended at NOW.
void endStepOf(Measured &M, Node *Step, uint64_t Now) {
  Usage End;
  M.Open = false;
  if (!take(End, M.WithStarved, Now, M.Measures))
    return;
  Usage Used = End - M.Start;
  add(Step, Step->last_ticks, Used);
  if (M.DrawKnown) {
    const Node *Draw = links(Step).FirstChild;
    const Node *Batch = links(links(Step).FirstChild).Successor;
    Usage Drawn = M.Drawn;
    Drawn.HasStarved = false;
    add(Draw, Draw->last_ticks, Drawn);
    add(Batch, Batch->last_ticks, Used - Drawn);
  }
  decide(M, Step, Step->last_ticks, Used);
}

// Resting steps are looked at some times in a second; in ticks.
constexpr uint64_t LookEvery = 1ULL << 29;
} // namespace

void loopscope::runtime::registerMeasures() {
  for (uint32_t I = 0; I < SumCount; ++I)
    State.Sums[I] = registerSum(Kinds[I].Key, Kinds[I].Unit);
  registerUnreadable();
}

void loopscope::runtime::startMeasuring() {
  if (CpuWanted == CpuMode::Off)
    return;
  int Saved = errno;
  State.OwnNs = UINT64_MAX;
  Usage Before;
  Usage After;
  for (int I = 0; I < 8 && readUsage(Before, false); ++I)
    if (readUsage(After, false) && After.CpuNs - Before.CpuNs < State.OwnNs)
      State.OwnNs = After.CpuNs - Before.CpuNs;
  errno = Saved;
  if (State.OwnNs == UINT64_MAX)
    State.OwnNs = 0;
  // What is refused is counted once there are counters: at the first measure.
  resetUnreadable();
  measureBorders();
}

uint64_t loopscope::runtime::measureNewPath(Node *N) {
  if (CpuWanted != CpuMode::Off && findOrMake(N) != nullptr)
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
    Cut.IsKnown = takeAtCut(Cut.Start, N, Now);
    break;
  case Border::CutEnded:
    endCutIn(N, Now);
    break;
  }
  return finish(Now);
}

uint64_t loopscope::runtime::measureStepBorder(Node *Ended, Node *Next,
                                               uint64_t Now, uint64_t &LookAt) {
  Entry Mine;
  if (!Mine)
    return 0;
  uint64_t Mean = 0;
  if (Measured *M = Ended == nullptr ? nullptr : find(Ended)) {
    Mean = M->Open ? Ended->last_ticks : lookAt(*M, Ended);
    if (M->Open)
      endStepOf(*M, Ended, Now);
    else if (!M->IsOn)
      wakes(*M, Mean);
  }
  Measured *M = Next == nullptr ? nullptr : findOrMake(Next);
  if (M == nullptr)
    return finish(Now);
  Usage Start;
  uint32_t Measures = 0;
  M->Open = false;
  if (M->IsOn && take(Start, M->WithStarved, Now, Measures))
    begin(*M, Start, Measures);
  measureSpans(links(Next).FirstChild, M->Open);
  uint64_t Steps = links(links(Next).Parent).Loop.Steps;
  LookAt = Steps + (M->Open || Mean == 0 ? 1 : LookEvery / Mean);
  return finish(Now);
}

void loopscope::runtime::lookThrough(Thread *T) {
  if (CpuWanted != CpuMode::Auto)
    return;
  Node *Root = links(T).Current;
  while (links(Root).Parent != nullptr)
    Root = links(Root).Parent;
  // Depth first, by the rings of children.
  Node *N = links(Root).FirstChild;
  while (N != Root && N != &NoChild) {
    Measured *M = find(N);
    if (M != nullptr && M->IsKnown && !M->IsOn &&
        N->kind != LOOPSCOPE_KIND_STEP && wakes(*M, lookAt(*M, N)))
      measureSpans(N, true);
    if (links(N).FirstChild != &NoChild) {
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
  for (Page *&P : State.Pages) {
    if (P != nullptr)
      munmap(P, sizeof(Page));
    P = nullptr;
  }
  Last = {};
  Cut = {};
  resetUnreadable();
}
