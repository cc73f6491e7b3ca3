// Operations of known numbers: a program of phases, threads and communicators.
//
//   operations [SEED]
//
// Without a seed, the operations in the tests' comments; with one, random ones. Prints
// its operations, sorted: "phase,operation,communicator,calls,bytes".
#include "fake_nccl.h"

#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {
struct Sums {
  long calls;
  long bytes;
};
std::map<std::string, Sums> truth;
std::mutex lock;

struct Type {
  const char *name;
  int bytes;
};
const Type types[] = {{"ncclInt8", 1},    {"ncclUint32", 4},   {"ncclInt64", 8},
                      {"ncclFloat16", 2}, {"ncclFloat32", 4},  {"ncclFloat64", 8},
                      {"ncclBfloat16", 2}, {"ncclFloat8e4m3", 1}};
const char *const functions[] = {"Broadcast",     "Reduce",    "AllGather", "AllReduce",
                                 "ReduceScatter", "AlltoAll", "Send",      "Recv"};

struct Comm {
  fake_comm *made;
  std::string name; // as in reports
};

Comm make(uint64_t hash, int ranks, const char *given) {
  char text[128];
  bool hasRanks = getenv("FAKE_UNNAMED") == nullptr; // v2 and v3 don't report it
  snprintf(text, sizeof text, "%s%scommunicator 0x%016llx", given ? given : "",
           given ? ", " : "", static_cast<unsigned long long>(hash));
  std::string name = text;
  if (hasRanks)
    name += " of " + std::to_string(ranks);
  return {fake_comm_init(hash, ranks, 1, given), name};
}

void run(const char *phase, const Comm &on, const char *function, size_t count, const Type &type) {
  fake_operation(on.made, function, count, type.name, 0);
  std::lock_guard<std::mutex> held(lock);
  Sums &to = truth[std::string(phase) + ",nccl" + function + "," + on.name];
  ++to.calls;
  to.bytes += static_cast<long>(count) * type.bytes;
}

void known() {
  Comm world = make(0x1234, 8, nullptr);
  Comm half = make(0xfedcba9876543210U, 4, "half");
  for (int step = 0; step < 10; ++step) {
    {
      __LOOPSCOPE_SPAN(1, PHASE, "backward", 1, "main");
      run("backward", world, "AllReduce", 1000, {"ncclFloat32", 4});
    }
    {
      __LOOPSCOPE_SPAN(2, PHASE, "gather", 2, "main");
      fake_group_start();
      run("gather", half, "AllGather", 500, {"ncclFloat16", 2});
      run("gather", half, "AllGather", 250, {"ncclFloat16", 2});
      run("gather", world, "Broadcast", 7, {"ncclInt8", 1});
      fake_group_end();
    }
  }
  {
    __LOOPSCOPE_SPAN(3, PHASE, "exchange", 3, "main");
    fake_group_start();
    run("exchange", world, "Send", 64, {"ncclFloat64", 8});
    run("exchange", world, "Recv", 32, {"ncclFloat64", 8});
    fake_group_end();
  }
  fprintf(stderr, "plugin %d\n", fake_plugin_version());
  fake_comm_destroy(half.made);
  fake_comm_destroy(world.made);
}

void work(unsigned seed, int number, const std::vector<Comm> &shared) {
  std::mt19937 random(seed * 1000 + number);
  auto pick = [&](size_t below) { return random() % below; };
  std::vector<Comm> comms;
  for (const Comm &each : shared)
    comms.push_back(each);
  static const loopscope_site sites[] = {
      {LOOPSCOPE_SITE_ABI, LOOPSCOPE_KIND_PHASE, 1, "forward", "random.cpp", "work"},
      {LOOPSCOPE_SITE_ABI, LOOPSCOPE_KIND_PHASE, 2, "backward", "random.cpp", "work"},
      {LOOPSCOPE_SITE_ABI, LOOPSCOPE_KIND_PHASE, 3, "optimizer", "random.cpp", "work"}};
  for (int round = 0; round < 200; ++round) {
    const loopscope_site &site = sites[pick(3)];
    loopscope_token token = loopscope_enter(&site);
    bool grouped = pick(2) == 0;
    if (grouped)
      fake_group_start();
    for (size_t i = pick(5); i-- > 0;)
      run(site.__name, comms[pick(comms.size())], functions[pick(8)], pick(100000),
          types[pick(8)]);
    if (grouped)
      fake_group_end();
    loopscope_leave(token);
  }
}

void random(unsigned seed) {
  // One thread uses each rank of a communicator; all ranks here share its hash.
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    std::vector<Comm> comms;
    for (int i = 0; i < 3; ++i)
      comms.push_back(make(seed * 7919ULL + i, 4 + i, i == 2 ? "data parallel" : nullptr));
    threads.emplace_back(work, seed, number, comms);
  }
  for (std::thread &each : threads)
    each.join();
  fprintf(stderr, "plugin %d\n", fake_plugin_version());
}
} // namespace

int main(int count, char **arguments) {
  if (count > 1)
    random(static_cast<unsigned>(atoi(arguments[1])));
  else
    known();
  for (const auto &[key, sums] : truth)
    printf("%s,%ld,%ld\n", key.c_str(), sums.calls, sums.bytes);
}
