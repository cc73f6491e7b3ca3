// Steps, draws and batches.
#include "steps.h"

using namespace loopscope::runtime;

Warmup loopscope::runtime::WarmupPolicy;

namespace {
// The STEP of LOOP that the next step belongs to, with its DRAW and BATCH; made
// at the first visit. Null without memory.
Node *nextStep(Thread *T, Node *Loop) {
  uint16_t Flags = links(Loop).Special < WarmupPolicy.Steps
                       ? uint16_t(LOOPSCOPE_NODE_WARMUP)
                       : uint16_t(0);
  Node *Predicted = links(Loop).Cursor;
  if (__builtin_expect(Predicted != nullptr && Predicted->flags == Flags, true))
    return Predicted;
  for (Node *N = links(Loop).FirstChild; N != nullptr; N = links(N).NextSibling)
    if (N->flags == Flags && links(links(N).FirstChild).NextSibling != nullptr)
      return N;
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
  links(Batch).Special = NoSamples;
  return Step;
}

// The loop's header runs from NOW on, for STEP.
void beginDraw(Thread *T, Node *Step, uint64_t Now) {
  Node *Draw = links(Step).FirstChild;
  links(links(Step).Parent).Cursor = Step;
  Step->enter_ticks = Now;
  Draw->enter_ticks = Now;
  orderStores();
  Step->open = 1;
  Draw->open = 1;
  T->last_ticks = Now;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  links(T).Current = Draw;
}

void addRate(Node *N, double Samples, uint64_t Ticks) {
  if (Ticks == 0)
    return;
  N->rate_sum += Samples / static_cast<double>(Ticks);
  ++N->rate_count;
}

// Samples and rates of a step that has just been recorded. MARKED: the
// children's marks are where the step began.
void recordSamples(Node *Step, Node *Batch, uint64_t Samples, bool Marked) {
  auto Count = static_cast<double>(Samples);
  Step->samples += Samples;
  addRate(Step, Count, Step->last_ticks);
  addRate(Batch, Count, Batch->last_ticks);
  for (Node *N = links(Batch).FirstChild; N != nullptr;
       N = links(N).NextSibling) {
    uint64_t Spent = N->sum_ticks - links(N).StepMark;
    links(N).StepMark = N->sum_ticks;
    if (Marked)
      addRate(N, Count, Spent);
  }
}

void markChildren(Node *Batch) {
  for (Node *N = links(Batch).FirstChild; N != nullptr;
       N = links(N).NextSibling)
    links(N).StepMark = N->sum_ticks;
}
} // namespace

bool loopscope::runtime::openLoop(Thread *T, Node *Loop, uint64_t Now) {
  if (WarmupPolicy.PerEpoch)
    links(Loop).Special = 0;
  Node *Step = nextStep(T, Loop);
  if (Step == nullptr)
    return false;
  openNode(T, Loop, Now);
  beginDraw(T, Step, Now);
  return true;
}

Node *loopscope::runtime::beginBatch(Thread *T, Node *Draw, uint64_t Now) {
  Node *Batch = links(Draw).NextSibling;
  links(Draw).Cursor = links(Draw).FirstChild;
  links(Batch).Special = NoSamples;
  Draw->open = 0;
  openNode(T, Batch, Now);
  return Batch;
}

void loopscope::runtime::endStep(Thread *T, Node *Batch, uint64_t Now) {
  Node *Step = links(Batch).Parent;
  Node *Draw = links(Step).FirstChild;
  Node *Loop = links(Step).Parent;
  uint64_t Waited = elapsed(Step->enter_ticks, Batch->enter_ticks);
  uint64_t Worked = elapsed(Batch->enter_ticks, Now);
  record(Draw, Waited);
  record(Batch, Worked);
  record(Step, Waited + Worked);
  uint64_t Samples = links(Batch).Special;
  if (Samples != NoSamples) {
    // Marks are kept from the first step that gives samples on.
    recordSamples(Step, Batch, Samples,
                  Step->count == 1 || Step->rate_count != 0);
  } else if (Step->rate_count != 0) {
    markChildren(Batch);
  }
  links(Batch).Cursor = links(Batch).FirstChild;
  ++links(Loop).Special;
  Node *Next = nextStep(T, Loop);
  beginDraw(T, Next == nullptr ? Step : Next, Now);
}

void loopscope::runtime::endLoopDraw(Thread *T, Node *Draw, uint64_t Now) {
  Node *Step = links(Draw).Parent;
  uint64_t Tail = elapsed(Step->enter_ticks, Now);
  Step->uncounted_ticks += Tail;
  Draw->uncounted_ticks += Tail;
  Step->open = 0;
  Draw->open = 0;
  links(Draw).Cursor = links(Draw).FirstChild;
  T->last_ticks = Now;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  links(T).Current = links(Step).Parent;
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
                                            uint64_t Now) {
  Node *Draw = links(links(Batch).Parent).FirstChild;
  links(Draw).Special = reinterpret_cast<uint64_t>(links(T).Current);
  openNode(T, Draw, Now);
  return Draw;
}

void loopscope::runtime::endExplicitDraw(Thread *T, Node *Draw, uint64_t Now) {
  uint64_t Waited = elapsed(Draw->enter_ticks, Now);
  Node *Interrupted = reinterpret_cast<Node *>(links(Draw).Special);
  Node *Batch = links(Draw).NextSibling;
  Draw->open = 0;
  links(Draw).Cursor = links(Draw).FirstChild;
  for (Node *N = Interrupted;; N = links(N).Parent) {
    N->enter_ticks += Waited;
    if (N == Batch)
      break;
  }
  T->last_ticks = Now;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  links(T).Current = Interrupted;
  links(Draw).Special = 0;
}

void loopscope::runtime::setSamples(Node *Batch, int64_t Samples) {
  if (Samples < 0) {
    count(LOOPSCOPE_COUNT_BAD_SAMPLES);
    Samples = 0;
  }
  links(Batch).Special = static_cast<uint64_t>(Samples);
}
