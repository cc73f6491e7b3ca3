// Fibres on several threads: each moves from thread to thread at random, with phases open over its
// switches. Counts are exact, and a phase's time is that in which its fibre ran, by the program's own
// clock: with ucontext and with a switch by hand, on one thread and on four, with a timeline, and
// after a fork. Parts that fibres begin (loopscope_reset) add up to the same. Nothing is taken for a jump. A kill loses nothing; without a profile, or
// when it is lost meanwhile, all goes on.
// RUN: rm -f %t.*.loopscope %t.*.log && %gxx -std=c++17 -g -pthread %runtime_include %s -o %t %runtime_lib
// RUN: env LOOPSCOPE=report=none,output=%t.1.loopscope %t 1 context 1 > %t.1.log
// RUN: env LOOPSCOPE=report=none,output=%t.4.loopscope %t 4 context 2 > %t.4.log
// RUN: env LOOPSCOPE=report=none,output=%t.h.loopscope %t 4 hand 3 > %t.h.log
// RUN: env LOOPSCOPE=trace,report=none,output=%t.t.loopscope %t 4 hand 4 > %t.t.log
// RUN: env LOOPSCOPE=report=none,output=%t.f.loopscope %t 2 fork 5 > %t.f.2.log
// RUN: for each in 1 4 h t f.2; do %python %S/Inputs/check_fibres.py %t.$each.loopscope %t.$each.log || exit 1; done
// RUN: env LOOPSCOPE=report=none,output=%t.r.loopscope %t 4 reset 9 > %t.r.log
// RUN: ls %t.r.part*.loopscope | count 5 && %python %S/Inputs/check_fibres.py %t.r.loopscope %t.r.log %t.r.part*.loopscope
// RUN: env LOOPSCOPE=trace,report=none,output=%t.s.loopscope %t 1 reset 10 > %t.s.log
// RUN: %python %S/Inputs/check_fibres.py %t.s.loopscope %t.s.log %t.s.part*.loopscope
// RUN: loopscope report %t.4.loopscope | FileCheck %s --implicit-check-not=longjmp --implicit-check-not='ended early' --implicit-check-not='without an open' --implicit-check-not='not finished'
// CHECK: {{^}}(in fibres) takes {{.*}}% of the run.
// RUN: loopscope report --view tree --thread "fibre 7" --format csv --columns name %t.4.loopscope | FileCheck %s --check-prefix=SEVEN
// SEVEN: "outer"
// RUN: loopscope export --to chrome %t.t.loopscope -o %t.t.json && loopscope export --to perfetto %t.t.loopscope -o %t.t.trace
// RUN: %python %source_root/test/tools/check-export.py perfetto %t.t.trace > %t.t.txt && grep -q inner %t.t.txt
// RUN: not --crash env LOOPSCOPE=report=none,output=%t.k.loopscope %t 1 kill 6
// RUN: loopscope report --view simple --format csv --columns action,calls %t.k.loopscope | FileCheck %s --check-prefix=KILLED
// KILLED-DAG: "outer",0{{$}}
// KILLED-DAG: "inner",1{{$}}
// RUN: loopscope report %t.k.loopscope | FileCheck %s --check-prefix=OPEN
// OPEN: {{^}}2 spans were not finished; totals include the time so far: main; outer.{{$}}
// RUN: env LOOPSCOPE=report=none,output=%t.c.loopscope %t 4 cut 8 %t.c.loopscope 2> %t.err > %t.c.log
// RUN: FileCheck %s --input-file=%t.err --check-prefix=CUT
// CUT: was truncated while the program ran: it is lost, and the rest of the run isn't recorded
// RUN: env LOOPSCOPE=off %t 4 hand 7 > %t.off.log
#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

static double now() {
  timespec At;
  clock_gettime(CLOCK_MONOTONIC, &At);
  return static_cast<double>(At.tv_sec) + static_cast<double>(At.tv_nsec) * 1e-9;
}

static bool ByHand;

#ifdef __x86_64__
// Saves the registers that a call keeps, and the stack pointer in *FROM.
extern "C" void switchStack(void **From, void *To);
asm(R"(
.text
.globl switchStack
switchStack:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp, (%rdi)
  mov %rsi, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
)");
#else
static void switchStack(void **, void *) { abort(); }
#endif

struct Fibre {
  uint64_t Id;
  unsigned Seed;
  ucontext_t Own, Back;
  void *OwnStack, *BackStack;
  alignas(16) char Memory[256 * 1024];
  bool Done = false;
  // Its clocks, which stand while it is switched out: without the switches, and with them.
  double Ran = 0, Since = 0, RanMost = 0, SinceMost = 0;
  double clock() const { return Ran + now() - Since; }
};

struct Times {
  double Least, Most;
};
static Times timesOf(const Fibre &F) {
  double Now = now();
  return {F.Ran + Now - F.Since, F.RanMost + Now - F.SinceMost};
}

struct Sum {
  long Count = 0;
  double Least = 0, Most = 0;
};
static std::mutex Mutex;
static Sum Outer, Inner;

// A fibre's times at the border of a span, on both sides of the hook.
struct Span {
  Times Outside, Inside;
};
static void add(Sum &To, const Span &Began, const Span &Ended) {
  std::lock_guard<std::mutex> Lock(Mutex);
  ++To.Count;
  To.Least += Ended.Inside.Least - Began.Inside.Least;
  To.Most += Ended.Outside.Most - Began.Outside.Most;
}

static void yield(Fibre &F) {
  F.Ran = F.clock();
  if (ByHand)
    switchStack(&F.OwnStack, F.BackStack);
  else
    swapcontext(&F.Own, &F.Back);
  F.Since = now();
}

static std::atomic<int> ResetsLeft{0};

// Begins a new part at some of its calls. The call is a pause, so the fibre's clock stands.
static void maybeReset(Fibre &F, std::mt19937 &Random) {
  if (ResetsLeft <= 0 || Random() % 16 != 0 || ResetsLeft.fetch_sub(1) <= 0)
    return;
  F.Ran = F.clock();
  loopscope_reset();
  F.Since = now();
}

static void spend(Fibre &F, double Seconds) {
  double End = F.clock() + Seconds;
  while (F.clock() < End)
    ;
}

static void inner(Fibre &F, std::mt19937 &Random) {
  Span Began, Ended;
  Began.Outside = timesOf(F);
  {
    __LOOPSCOPE_SPAN(1, PHASE, "inner", __LINE__, "inner");
    Began.Inside = timesOf(F);
    spend(F, 50e-6 * (1 + Random() % 4));
    if (Random() % 2)
      yield(F);
    maybeReset(F, Random);
    spend(F, 50e-6);
    Ended.Inside = timesOf(F);
  }
  Ended.Outside = timesOf(F);
  add(Inner, Began, Ended);
}

static void work(Fibre &F) {
  std::mt19937 Random(F.Seed);
  for (int I = 0; I < 10; ++I) {
    Span Began, Ended;
    Began.Outside = timesOf(F);
    {
      __LOOPSCOPE_SPAN(1, PHASE, "outer", __LINE__, "work");
      Began.Inside = timesOf(F);
      for (unsigned Left = 1 + Random() % 3; Left != 0; --Left) {
        inner(F, Random);
        if (Random() % 2)
          yield(F);
      }
      Ended.Inside = timesOf(F);
    }
    Ended.Outside = timesOf(F);
    add(Outer, Began, Ended);
    yield(F);
  }
}

static thread_local Fibre *Starting;

static void run() {
  Fibre &F = *Starting;
  F.Since = now();
  work(F);
  F.Done = true;
  yield(F);
}

static void resume(Fibre &F) {
  Starting = &F;
  F.SinceMost = now();
  loopscope_fibre_switch(F.Id);
  if (ByHand)
    switchStack(&F.BackStack, F.OwnStack);
  else
    swapcontext(&F.Back, &F.Own);
  loopscope_fibre_switch(0);
  F.RanMost += now() - F.SinceMost;
}

static void prepare(Fibre &F) {
  getcontext(&F.Own);
  F.Own.uc_stack.ss_sp = F.Memory;
  F.Own.uc_stack.ss_size = sizeof(F.Memory);
  F.Own.uc_link = nullptr;
  makecontext(&F.Own, run, 0);
  // Six registers and the return address; calls leave 8 bytes below a multiple of 16.
  auto *Top = reinterpret_cast<void **>(F.Memory + sizeof(F.Memory)) - 2;
  void (*First)() = run;
  std::memcpy(Top, &First, sizeof(First));
  F.OwnStack = Top - 6;
}

static std::deque<Fibre *> Ready;
static int Alive;

static void schedule(unsigned Seed) {
  std::mt19937 Random(Seed);
  for (;;) {
    std::unique_lock<std::mutex> Lock(Mutex);
    if (Alive == 0)
      return;
    if (Ready.empty()) {
      Lock.unlock();
      std::this_thread::yield();
      continue;
    }
    std::swap(Ready.front(), Ready[Random() % Ready.size()]);
    Fibre *F = Ready.front();
    Ready.pop_front();
    Lock.unlock();
    resume(*F);
    if (F->Done)
      loopscope_fibre_end(F->Id);
    Lock.lock();
    if (F->Done)
      --Alive;
    else
      Ready.push_back(F);
  }
}

int main(int, char **Arguments) {
  int ThreadCount = std::atoi(Arguments[1]);
  std::string How = Arguments[2];
  unsigned Seed = static_cast<unsigned>(std::atoi(Arguments[3]));
#ifdef __x86_64__
  ByHand = How == "hand";
#endif
  ResetsLeft = How == "reset" ? 5 : 0;
  static Fibre All[20];
  __LOOPSCOPE_SPAN(1, PHASE, "main", __LINE__, "main");
  if (How == "fork") {
    loopscope_fibre_switch(1);
    __LOOPSCOPE_SPAN(2, PHASE, "parent", __LINE__, "main");
    if (pid_t Child = fork(); Child != 0) {
      waitpid(Child, nullptr, 0);
      return 0;
    }
    loopscope_fibre_switch(0);
  }
  for (unsigned I = 0; I < 20; ++I) {
    All[I].Id = I + 1;
    All[I].Seed = Seed * 100 + I;
    prepare(All[I]);
    Ready.push_back(&All[I]);
  }
  if (How == "kill") {
    resume(All[0]);
    while (Inner.Count == 0)
      resume(All[0]);
    raise(SIGKILL);
  }
  Alive = 20;
  uint64_t Range = loopscope_range_begin("all");
  if (How == "cut")
    std::thread([&] {
      usleep(5000);
      if (truncate(Arguments[4], 0) != 0)
        abort();
    }).detach();
  double Before = now();
  std::vector<std::thread> Threads;
  for (int I = 1; I < ThreadCount; ++I)
    Threads.emplace_back(schedule, Seed + static_cast<unsigned>(I));
  schedule(Seed);
  for (std::thread &Each : Threads)
    Each.join();
  loopscope_range_end(Range);
  std::printf("outer %ld %.9f %.9f\ninner %ld %.9f %.9f\nwall %.9f\n", Outer.Count, Outer.Least,
              Outer.Most, Inner.Count, Inner.Least, Inner.Most, now() - Before);
  return 0;
}
