// A C++20 coroutine with a span that is open while it waits: each coroutine is a fibre, so its span has
// the time in which the coroutine ran, and what runs meanwhile isn't below it. Resumed coroutines may
// resume others, and go on with the one before.
// REQUIRES: gcc
// RUN: rm -f %t.loopscope && %gxx -std=c++20 -g %runtime_include %s -o %t %runtime_lib
// RUN: env LOOPSCOPE=cpu=off,report=none,output=%t.loopscope %t > %t.wall
// RUN: loopscope report --view tree --format csv --columns name,calls,depth %t.loopscope | FileCheck %s
// CHECK-DAG: {{^}}"main","main",1,0{{$}}
// CHECK-DAG: {{^}}"others","generate",3,0{{$}}
// CHECK-DAG: {{^}}"others","part",30,1{{$}}
// CHECK-DAG: {{^}}"main","use",10,1{{$}}
// RUN: loopscope report --view simple --format csv --columns action,calls,total_s %t.loopscope | %python %S/Inputs/check_coroutines.py %t.wall
// RUN: loopscope report %t.loopscope | not grep -E 'longjmp|ended early|another fibre'
#include <loopscope/loopscope.h>

#include <coroutine>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <time.h>

static const loopscope_site Main = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "main", 1, "main");
static const loopscope_site Generate = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "generate", 2, "generate");
static const loopscope_site Part = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "part", 3, "generate");
static const loopscope_site Use = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "use", 4, "main");

static double now() {
  timespec At;
  clock_gettime(CLOCK_MONOTONIC, &At);
  return static_cast<double>(At.tv_sec) + static_cast<double>(At.tv_nsec) * 1e-9;
}

static void spend(double Seconds) {
  for (double End = now() + Seconds; now() < End;)
    ;
}

struct Numbers {
  struct promise_type {
    int Value = 0;
    Numbers get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int Next) {
      Value = Next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> Handle;

  bool next() {
    auto Id = reinterpret_cast<uint64_t>(Handle.address());
    uint64_t Before = loopscope_fibre_switch(Id);
    Handle.resume();
    loopscope_fibre_switch(Before);
    if (Handle.done())
      loopscope_fibre_end(Id);
    return !Handle.done();
  }
};

static Numbers generate(int Count, int Depth) {
  loopscope_token Whole = loopscope_enter(&Generate);
  Numbers Inner{};
  if (Depth != 0)
    Inner = generate(Count, Depth - 1);
  for (int I = 0; I < Count; ++I) {
    loopscope_token One = loopscope_enter(&Part);
    spend(1e-3);
    loopscope_leave(One);
    if (Depth != 0)
      Inner.next();
    co_yield I;
  }
  if (Depth != 0) {
    Inner.next();
    Inner.Handle.destroy();
  }
  loopscope_leave(Whole);
}

int main() {
  double Start = now();
  loopscope_token Around = loopscope_enter(&Main);
  Numbers All = generate(10, 2);
  while (All.next()) {
    loopscope_token One = loopscope_enter(&Use);
    spend(2e-3);
    loopscope_leave(One);
  }
  All.Handle.destroy();
  loopscope_leave(Around);
  std::printf("%.9f\n", now() - Start);
  return 0;
}
