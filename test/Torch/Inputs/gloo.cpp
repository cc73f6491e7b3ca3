// Calls every operation of a process group, waits for each, on the main thread and another one, and has
// some fail. Prints what happened; with TRUTH=FILE, writes what should be on record:
//   operation CALLS BYTES, and wait CALLS LEAST MOST (nanoseconds)
// With HOOKS, it is a program with phases; with LATE, it loads the library itself.
#include "fake_c10d.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <map>
#include <stdexcept>
#include <thread>
#ifdef HOOKS
#include <loopscope/hooks.h>
#else
#define __LOOPSCOPE_SPAN(...) (void)0
#endif

using namespace c10d;
using Clock = std::chrono::steady_clock;

struct Sums {
  int Calls = 0;
  int64_t Bytes = 0, Least = 0, Most = 0;
};
static std::map<std::string, Sums> Operations, Waits;

// DO waits at least until END.
static void waited(const char *Name, Clock::time_point End, const std::function<void()> &Do) {
  auto Began = Clock::now();
  auto Least = std::max(End - Began, Clock::duration(0));
  try {
    Do();
  } catch (const std::exception &Error) {
    printf("%s threw %s\n", Name, Error.what());
  }
  Sums &To = Waits[Name];
  ++To.Calls;
  To.Least += std::chrono::nanoseconds(Least).count();
  To.Most += std::chrono::nanoseconds(Clock::now() - Began).count();
}

static void wait(Work &Of, const char *Name = "c10d::Work::wait") {
  waited(Name, Of.Began + std::chrono::milliseconds(Of.End.Ms), [&] { printf("%s %d\n", Name, Of.wait(std::chrono::milliseconds(60))); });
}

// What is started at once and waited for now takes MS.
template <typename Function> static void run(const char *Name, int64_t Bytes, ProcessGroupGloo &On, int Ms, Function Start) {
  Sums &To = Operations[Name];
  ++To.Calls;
  To.Bytes += Bytes;
  On.Ms = Ms;
  auto Started = Start();
  wait(*Started.operator->());
}

static void runAll(ProcessGroupGloo &G) {
  Tensors Two = {at::Tensor(1000, 4), at::Tensor(10, 8)};
  Tensors One = {at::Tensor(3, 2)};
  Lists Many = {Two, One};
  at::Tensor Small(7, 1), Large(50, 4);
  Counts Out(2), In(3);
  constexpr int64_t OfTwo = 4080, OfOne = 6;
  run("gloo:broadcast", OfTwo, G, 0, [&] { return G.broadcast(Two, {}); });
  for (int I = 0; I < 3; ++I)
    run("gloo:all_reduce", OfTwo, G, 3, [&] { return G.allreduce(Two, {}); });
  run("gloo:sparse_all_reduce", 0, G, 0, [&] { return G.allreduce_sparse(Two, {}); });
  run("gloo:all_reduce", OfOne, G, 0, [&] { return G.allreduce_coalesced(One, {}); });
  run("gloo:reduce", OfTwo, G, 0, [&] { return G.reduce(Two, {}); });
  run("gloo:all_gather", OfOne, G, 0, [&] { return G.allgather(Many, One, {}); });
  run("gloo:all_gather", OfOne, G, 0, [&] { return G.allgather_coalesced(Many, One, {}); });
  run("gloo:all_gather", 7, G, 0, [&] { return G._allgather_base(Large, Small, {}); });
  run("gloo:all_gather", 200, G, 0, [&] { return G.all_gather_single(Small, Large, {}); });
  run("gloo:all_gather", OfOne, G, 0, [&] { return G.allgather_into_tensor_coalesced(Two, One, {}); });
  run("gloo:all_gather", OfTwo, G, 0, [&] { return G.all_gather_single_coalesced(One, Two, {}); });
  run("gloo:gather", OfTwo, G, 0, [&] { return G.gather(Many, Two, {}); });
  run("gloo:scatter", OfOne, G, 0, [&] { return G.scatter(One, Many, {}); });
  run("gloo:reduce_scatter", OfTwo + OfOne, G, 0, [&] { return G.reduce_scatter(One, Many, {}); });
  run("gloo:reduce_scatter", 200, G, 0, [&] { return G._reduce_scatter_base(Small, Large, {}); });
  run("gloo:reduce_scatter", 200, G, 0, [&] { return G.reduce_scatter_single(Small, Large, {}); });
  run("gloo:reduce_scatter", OfTwo, G, 0, [&] { return G.reduce_scatter_tensor_coalesced(One, Two, {}); });
  run("gloo:reduce_scatter", OfTwo, G, 0, [&] { return G.reduce_scatter_single_coalesced(One, Two, {}); });
  run("gloo:all_to_all", OfTwo, G, 0, [&] { return G.alltoall(One, Two, {}); });
  run("gloo:all_to_all", 200, G, 0, [&] { return G.alltoall_base(Small, Large, Out, In, {}); });
  run("gloo:all_to_all", 200, G, 0, [&] { return G.all_to_all_single(Small, Large, Out, In, {}); });
  run("gloo:recvAnySource", OfOne, G, 0, [&] { return G.recvAnysource(One, 5); });
  run("gloo:barrier", 0, G, 2, [&] { return G.barrier({}); });
  G.Ms = 4;
  Operations["gloo:send"] = {1, OfTwo, 0, 0};
  wait(*G.send(Two, 1, 5).operator->(), "c10d::SendWork::wait");
  G.Ms = 5;
  Operations["gloo:recv"] = {1, OfOne, 0, 0};
  wait(*G.recv(One, 1, 5).operator->(), "c10d::RecvWork::wait");
  // Waits in the operation itself.
  ++Operations["gloo:monitored_barrier"].Calls;
  G.Ms = 0;
  G.monitoredBarrier({}, false);
}

static void fail(ProcessGroupGloo &G) {
  Tensors One = {at::Tensor(3, 2)};
  G.Fails = true;
  run("gloo:all_reduce", 6, G, 6, [&] { return G.allreduce(One, {}); });
  ++Operations["gloo:monitored_barrier"].Calls;
  try {
    G.monitoredBarrier({}, true);
  } catch (const std::exception &Error) {
    printf("barrier threw %s\n", Error.what());
  }
  // The operation itself.
  ++Operations["gloo:send"].Calls;
  Operations["gloo:send"].Bytes += 6;
  try {
    G.send(One, -1, 5);
  } catch (const std::exception &Error) {
    printf("send threw %s\n", Error.what());
  }
  G.Fails = false;
}

int main() {
#ifdef LATE
  void *Library = dlopen("./libtorch_cpu.so", RTLD_NOW | RTLD_LOCAL);
  auto Make = reinterpret_cast<decltype(&make_group)>(dlsym(Library, "make_group"));
  [[maybe_unused]] auto Finalize = reinterpret_cast<void (*)(Reducer *)>(dlsym(Library, "_ZN4c10d7Reducer17finalize_backwardEv"));
#else
  auto *Make = make_group;
  [[maybe_unused]] void (*Finalize)(Reducer *) = [](Reducer *Of) { Of->finalize_backward(); };
#endif
  ProcessGroupGloo *World = Make(0, 2);
  Make(0, 2);
  {
    __LOOPSCOPE_SPAN(1, PHASE, "exchange", 1, "main");
    runAll(*World);
    fail(*World);
  }
  std::thread([&] {
    Tensors One = {at::Tensor(3, 2)};
    run("gloo:all_reduce", 6, *World, 7, [&] { return World->allreduce(One, {}); });
  }).join();
#ifndef NO_REDUCER
  // Half of the time: it waits a little later than it begins.
  for (int Ms : {30, 40}) {
    Reducer Of;
    Of.Ms = Ms;
    waited("c10d::Reducer::finalize_backward", Clock::now() + std::chrono::milliseconds(Ms / 2), [&] { Finalize(&Of); });
  }
#endif
  if (const char *Path = getenv("TRUTH")) {
    FILE *File = fopen(Path, "w");
    for (const auto &[Name, Sum] : Operations)
      fprintf(File, "%s %d %lld\n", Name.c_str(), Sum.Calls, static_cast<long long>(Sum.Bytes));
    for (const auto &[Name, Sum] : Waits)
      fprintf(File, "%s %d %lld %lld\n", Name.c_str(), Sum.Calls, static_cast<long long>(Sum.Least),
              static_cast<long long>(Sum.Most));
    fclose(File);
  }
  return 7;
}
