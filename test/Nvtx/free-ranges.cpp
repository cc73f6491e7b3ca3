// nvtx=read: random start/end ranges (names, domains, threads that begin and end them,
// in any order) have the count and times of the program's own log. They are in no tree;
// open ones are reported, also after a kill; a forked child has its own.
// RUN: %build_cxx -pthread && rm -f %t.*.loopscope
// RUN: for seed in 1 2 3; do env LOOPSCOPE=nvtx=read,report=none,output=%t.$seed.loopscope %t $seed >%t.log && %python %S/Inputs/check_ranges.py %t.$seed.loopscope %t.log || exit 1; done
// RUN: loopscope report --view tree --format csv %t.1.loopscope | not grep -E '"(A:)?range'
// RUN: loopscope report --view ranges %t.1.loopscope | FileCheck %s
// CHECK: {{^}}Such ranges may overlap without nesting and may end on another thread, so they are in no phase's time.{{$}}
// CHECK: {{^}}{{[0-9]+}} ranges had not ended: only the Open columns count them.{{$}}
// RUN: loopscope report %t.1.loopscope | FileCheck %s --check-prefix=FOOTER
// FOOTER: {{^}}Ranges that need not nest: {{[0-9]+}} of {{[0-9]+}} names, {{[0-9]+}} of them not ended ({{.*}}), in no phase's time; --view ranges has them.{{$}}
// FOOTER: {{^}}1 end of ranges ignored, because the range had ended before: range once.{{$}}
// FOOTER: {{^}}1 end: without an open span, ignored.{{$}}
// RUN: env LOOPSCOPE=nvtx=read,report=none,output=%t.k.loopscope %t kill
// RUN: loopscope report --view ranges --format csv --columns name,calls,open %t.k.2.loopscope | FileCheck %s --check-prefix=KILLED --match-full-lines
// KILLED:name,calls,open
// KILLED-NEXT:"left open",1,2
// KILLED-NOT:{{.}}
#include <loopscope/hooks.h>

#include "client.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

using namespace client;

static long long now() {
  timespec At;
  clock_gettime(CLOCK_MONOTONIC, &At);
  return At.tv_sec * 1000000000LL + At.tv_nsec;
}

// An open range, and the interval in which it began.
struct Open {
  std::string Name;
  uint64_t Id;
  bool OfDomain;
  long long Earliest, Latest;
};

static std::mutex Mutex;
static std::vector<Open> All;
static void *Domain;

static void start(std::mt19937 &Random) {
  Open Next;
  std::string Name = "range " + std::to_string(Random() % 7);
  nvtx::Attributes Event{};
  Event.Version = 3;
  Event.Size = sizeof(Event);
  Event.MessageType = nvtx::Ascii;
  Event.Message = Name.c_str();
  const nvtx::Attributes *Said = &Event;
  unsigned How = Random() % 4;
  Next.OfDomain = How == 0;
  Next.Name = (Next.OfDomain ? "A:" : "") + Name;
  std::wstring Wide(Name.begin(), Name.end());
  Next.Earliest = now();
  Next.Id = How == 0   ? call<uint64_t>(Core2Slots[nvtx::DomainRangeStartEx], Domain, Said)
            : How == 1 ? call<uint64_t>(CoreSlots[nvtx::RangeStartEx], Said)
            : How == 2 ? call<uint64_t>(CoreSlots[nvtx::RangeStartW], Wide.c_str())
                       : call<uint64_t>(CoreSlots[nvtx::RangeStartA], Name.c_str());
  Next.Latest = now();
  std::lock_guard<std::mutex> Lock(Mutex);
  All.push_back(Next);
}

static void end(std::mt19937 &Random) {
  std::unique_lock<std::mutex> Lock(Mutex);
  if (All.empty())
    return;
  std::swap(All[Random() % All.size()], All.back());
  Open Last = All.back();
  All.pop_back();
  Lock.unlock();
  long long Earliest = now();
  if (Last.OfDomain)
    call<void>(Core2Slots[nvtx::DomainRangeEnd], Domain, Last.Id);
  else
    call<void>(CoreSlots[nvtx::RangeEnd], Last.Id);
  long long Latest = now();
  Lock.lock();
  std::printf("%s\t%lld\t%lld\n", Last.Name.c_str(), Earliest - Last.Latest,
              Latest - Last.Earliest);
}

static void runAtRandom(unsigned Seed) {
  std::mt19937 Random(Seed);
  for (int I = 0; I < 2000; ++I)
    Random() % 5 < 3 ? start(Random) : end(Random);
  std::lock_guard<std::mutex> Lock(Mutex);
  std::fflush(stdout);
}

int main(int, char **Arguments) {
  __LOOPSCOPE_SPAN(1, PHASE, "main", 1, "main");
  if (!attach())
    return 1;
  if (std::string(Arguments[1]) == "kill") {
    uint64_t Parents = call<uint64_t>(CoreSlots[nvtx::RangeStartA], "of the parent");
    pid_t Child = fork();
    if (Child == 0) {
      __LOOPSCOPE_SPAN(2, PHASE, "child", 1, "main");
      call<void>(CoreSlots[nvtx::RangeEnd], Parents);
      for (int I = 0; I < 3; ++I) {
        uint64_t Id = call<uint64_t>(CoreSlots[nvtx::RangeStartA], "left open");
        if (I == 0)
          call<void>(CoreSlots[nvtx::RangeEnd], Id);
      }
      raise(SIGKILL);
    }
    waitpid(Child, nullptr, 0);
    return 0;
  }
  Domain = domain("A");
  unsigned Seed = static_cast<unsigned>(std::atoi(Arguments[1]));
  std::vector<std::thread> Threads;
  for (unsigned I = 0; I < 3; ++I)
    Threads.emplace_back(runAtRandom, Seed * 10 + I);
  for (std::thread &Each : Threads)
    Each.join();
  // Ids without a range, of which one ends nothing; and the id of an ended one.
  call<void>(CoreSlots[nvtx::RangeEnd], uint64_t(0));
  call<void>(CoreSlots[nvtx::RangeEnd], uint64_t(1));
  uint64_t Once = call<uint64_t>(CoreSlots[nvtx::RangeStartA], "range once");
  long long Started = now();
  call<void>(CoreSlots[nvtx::RangeEnd], Once);
  std::printf("range once\t0\t%lld\n", now() - Started + 1000000000);
  call<void>(CoreSlots[nvtx::RangeEnd], Once);
  long long Now = now();
  for (const Open &Each : All)
    std::printf("%s\topen\t%lld\n", Each.Name.c_str(), Now - Each.Latest);
  return 0;
}
