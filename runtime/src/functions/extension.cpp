// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges a function by all its call paths in the calling thread's tree, after
// 1,024 calls of one of them and whenever that number has doubled, so that
// judging costs next to nothing even for frequent calls.

#include "extension.h"

#include "base/clock.h"
#include "process/options.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"
#include "profile/sums.h"
#include "tree/tree.h"

#include <loopscope/named_losses.h>
#include <loopscope/profile_format.h>

using namespace loopscope::runtime;

namespace {
// Hooks are switched off if they cost more than this part of a function's own
// time, and of its total time. The second condition keeps hooks of functions
// that mainly call others, because those show where time goes.
constexpr uint64_t PartOfOwn = 10;
constexpr uint64_t PartOfAll = 50;
constexpr uint64_t TicksScale = 1024; // unit of the header's costs

struct FunctionsState {
  bool AreKept = false; // functions=all
  SumId Since = NotRegistered;
  uint64_t OffSoFar = 0;     // in this process and, before a fork, its parent
  uint64_t InheritedOff = 0; // part of it that the profile doesn't have yet
};
constinit FunctionsState State;

// The ticks of all calls of a function. All is the outermost calls' time in
// recursive ones.
struct Times {
  uint64_t Calls = 0;
  uint64_t Own = 0;
  uint64_t All = 0;
};

uint64_t outsideTicks(uint64_t Spans) {
  return Header->hook_outside_ticks1024 * Spans / TicksScale;
}
uint64_t insideTicks(uint64_t Spans) {
  return Header->hook_inside_ticks1024 * Spans / TicksScale;
}

bool isWithinItself(Node *N) {
  for (Node *Up = links(N).Parent; Up != nullptr; Up = links(Up).Parent)
    if (Up->site == N->site)
      return true;
  return false;
}

void addTimes(Node *N, Times &To) {
  uint64_t NotOwn = insideTicks(N->count);
  findAmong(N, [&](Node *Child) {
    NotOwn += Child->sum_ticks + outsideTicks(Child->count);
    return false;
  });
  To.Calls += N->count;
  To.Own += N->sum_ticks > NotOwn ? N->sum_ticks - NotOwn : 0;
  if (!isWithinItself(N))
    To.All += N->sum_ticks;
}

// Calls VISIT(node) for all nodes below ROOT.
template <typename Function> void walk(Node *Root, Function Visit) {
  Node *N = Root;
  for (;;) {
    if (Node *First = links(N).FirstChild; First != noChild())
      N = First;
    else {
      while (N != Root &&
             links(N).Successor == links(links(N).Parent).FirstChild)
        N = links(N).Parent;
      if (N == Root)
        return;
      N = links(N).Successor;
    }
    Visit(N);
  }
}

Node *rootOf(Node *N) {
  while (links(N).Parent != nullptr)
    N = links(N).Parent;
  return N;
}

bool isWorthIt(const Times &Of) {
  uint64_t Cost = insideTicks(Of.Calls) + outsideTicks(Of.Calls);
  return Cost <= Of.Own / PartOfOwn || Cost <= Of.All / PartOfAll;
}

bool isPowerOfTwo(uint64_t Number) { return (Number & (Number - 1)) == 0; }

// 1: the hooks of N, a FUNCTION, have been switched off.
uint64_t &isOff(Node *N) { return links(N).Phase.Extra; }

uint64_t judge(Node *N, unsigned char *Off) {
  // Instances of a function template share their nodes, but each has its own
  // hook.
  if (isOff(N) != 0)
    __atomic_store_n(Off, 1, __ATOMIC_RELAXED);
  if (State.AreKept || !isPowerOfTwo(N->count) || *Off != 0)
    return 0;
  uint64_t Start = now();
  Node *Root = rootOf(N);
  Times Found;
  walk(Root, [&](Node *Each) {
    if (Each->site == N->site)
      addTimes(Each, Found);
  });
  if (isWorthIt(Found))
    return elapsed(Start, now());
  // Only one thread records it.
  if (__atomic_exchange_n(Off, 1, __ATOMIC_RELAXED) == 0) {
    __atomic_fetch_add(&State.OffSoFar, 1, __ATOMIC_RELAXED);
    addToCounter(LOOPSCOPE_COUNT_FUNCTIONS_OFF, 1);
  }
  uint64_t Since = Start - Header->start_ticks;
  walk(Root, [&](Node *Each) {
    if (Each->site != N->site)
      return;
    isOff(Each) = 1;
    addToNode(State.Since, Each->index, Since);
  });
  return elapsed(Start, now());
}

constexpr const char *Choices[] = {"auto", "all"};

bool parseFunctions(char *Value, Options & /*Core*/, Text &Message) {
  uint32_t Choice = chooseValue(Value, Choices, 2, "functions", Message);
  State.AreKept = Choice == 1;
  return Choice != 2;
}

constexpr OptionWord Words[] = {{"functions=auto|all", parseFunctions}};

void start() {
  registerCounter(LOOPSCOPE_COUNT_FUNCTIONS_OFF);
  State.Since = registerSum(LOOPSCOPE_SUM_FUNCTIONS_OFF, LOOPSCOPE_SUM_TICKS);
}

// In a forked child these functions are off from the start, and its profile
// says so.
void childOfFork() { State.InheritedOff = State.OffSoFar; }

void threadStarted(Thread * /*T*/) {
  addToCounter(LOOPSCOPE_COUNT_FUNCTIONS_OFF,
               __atomic_exchange_n(&State.InheritedOff, 0, __ATOMIC_RELAXED));
}
} // namespace

const Extension loopscope::runtime::FunctionsExtension = {
    .Name = "functions",
    .CostKey = "cost.functions",
    .Words = Words,
    .Start = start,
    .ThreadStarted = threadStarted,
    .FunctionDue = judge,
    .ChildOfFork = childOfFork,
};
