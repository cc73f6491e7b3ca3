// Unknown requests that NCCL may make: kinds of events, functions, elements, states, foreign handles,
// more communicators than fit. Nothing fails, and operations that aren't recorded are counted.
// REQUIRES: gcc
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %gxx -std=c++17 -O1 -Wall -Werror %runtime_include %s -o work %runtime_lib
// RUN: env LOOPSCOPE=report=none,output=run.loopscope ./work | FileCheck %s --check-prefix=OUT --match-full-lines
//      OUT: events 4102
// OUT-NEXT: an unknown kind: 0, handle none
// OUT-NEXT: a group: 0, handle some
// RUN: loopscope report --view communication run.loopscope --format csv | FileCheck %s --check-prefix=ROWS
// ROWS-DAG: {{^}}"fit","ncclHalo","communicator 0x0000000000000000 of 2",1,1,4,4,,,,{{$}}
// ROWS-DAG: {{^}}"fit","ncclAllReduce","communicator 0x0000000000000000 of 2",1,3,,,,,,{{$}}
// RUN: loopscope report run.loopscope | FileCheck %s
// CHECK: {{^}}46 NCCL operations: not recorded: too many communicators or functions.{{$}}
// CHECK-NEXT: {{^}}3 NCCL operations: counted without bytes: the size of its elements isn't known.{{$}}
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <loopscope/hooks.h>

struct Event {
  uint64_t type;
  void *parent;
  int rank;
  uint64_t sequence;
  const char *function;
  const void *send;
  void *receive;
  size_t count;
  int root;
  const char *datatype;
  uint64_t rest[8];
};
struct Plugin {
  const char *name;
  int (*init)(void **, uint64_t, int *, const char *, int, int, int, void *);
  int (*start)(void *, void **, Event *);
  int (*stop)(void *);
  int (*record)(void *, int, void *);
  int (*finalize)(void *);
};
extern "C" Plugin ncclProfiler_v6;

static int start(void *context, uint64_t type, const char *function, size_t count,
                 const char *datatype, void **handle) {
  Event event;
  memset(&event, 0xff, sizeof event);
  event.type = type;
  event.function = function;
  event.count = count;
  event.datatype = datatype;
  return ncclProfiler_v6.start(context, handle, &event);
}

int main() {
  __LOOPSCOPE_SPAN(1, PHASE, "train", 1, "main");
  void *contexts[300] = {};
  void *handle = nullptr;
  int mask = 0;
  for (uint64_t i = 0; i < 300; ++i)
    if (ncclProfiler_v6.init(&contexts[i], i, &mask, nullptr, 1, 2, 0, nullptr) != 0)
      return 1;
  printf("events %d\n", mask);
  handle = &mask;
  int result = start(contexts[0], uint64_t(1) << 40, nullptr, 1, nullptr, &handle);
  printf("an unknown kind: %d, handle %s\n", result, handle == nullptr ? "none" : "some");
  result = start(contexts[0], 1, nullptr, 1, nullptr, &handle);
  printf("a group: %d, handle %s\n", result, handle == nullptr ? "none" : "some");
  ncclProfiler_v6.record(handle, 12345, nullptr);
  ncclProfiler_v6.stop(handle);
  ncclProfiler_v6.stop(nullptr);
  ncclProfiler_v6.record(nullptr, 12345, nullptr);
  start(contexts[0], 2, "Halo", 1, "ncclFloat32", &handle);
  start(contexts[0], 2, "AllReduce", 1, "ncclFloat9", &handle);
  start(contexts[0], 2, "AllReduce", 1, nullptr, &handle);
  start(contexts[0], 2, "AllReduce", SIZE_MAX / 2, "ncclFloat64", &handle);
  start(contexts[0], 2, nullptr, 1, "ncclFloat64", &handle);
  // A communicator with 24 functions, and those that didn't fit.
  for (int i = 0; i < 24 + 1; ++i) {
    static char names[25][16];
    snprintf(names[i], sizeof names[i], "New%d", i);
    start(contexts[1], 2, names[i], 1, "ncclFloat32", &handle);
  }
  for (void *&each : contexts)
    ncclProfiler_v6.finalize(each);
  for (int i = 256; i < 300; ++i)
    start(contexts[i], 2, "AllReduce", 1, "ncclFloat32", &handle);
}
