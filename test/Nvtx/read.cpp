// nvtx=read: push/pop ranges are phases: on threads, in interleaving domains, deeper and
// more numerous than the limits, and in a forked child.
// RUN: %build_cxx && rm -f %t.loopscope %t.child.loopscope
// RUN: env LOOPSCOPE=nvtx=read,report=none,output=%t.loopscope %t | FileCheck %s --check-prefix=OUT --match-full-lines
// OUT:taken 1
// OUT-NEXT:levels 0 1 1 0 -1
// OUT-NEXT:domain levels 0 0 1 0 0 -1
// OUT-NEXT:child 0
// RUN: loopscope report --view tree --format csv %t.loopscope | cut -d, -f2,5,8 | tr -d '"' | FileCheck %s --match-full-lines
// CHECK-DAG:outer,3,1
// CHECK-DAG:inner,6,2
// CHECK-DAG:phase,2,2
// CHECK-DAG:of phase,2,3
// CHECK-DAG:A:a,1,1
// CHECK-DAG:B:b,1,2
// CHECK-DAG:B:b2,1,3
// CHECK-DAG:(other ranges),{{[0-9]+}},1
// CHECK-DAG:worker,1,0
// CHECK-DAG:not popped,1,1
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=LOST
// LOST-DAG: {{^}}Ranges that need not nest: 3 of 1 name, 3 of them not ended (started), in no phase's time; --view ranges has them.{{$}}
// LOST-DAG: NVTX ranges: under "(other ranges)"
// LOST-DAG: {{^}}50 spans: nested too deep
// Without the word nothing is recorded.
// RUN: rm -f %t.off.loopscope && env LOOPSCOPE=report=none,output=%t.off.loopscope %t | FileCheck %s --check-prefix=OFF
// OFF: taken 0{{$}}
#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>

#include "client.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace client;

int main() {
  __LOOPSCOPE_SPAN(1, PHASE, "main", 1, "main");
  bool Taken = attach();
  std::printf("taken %d\n", Taken);
  if (!Taken)
    return 0;
  for (int I = 0; I < 3; ++I) {
    int A = push("outer");
    int B = push("inner");
    pop();
    push("inner");
    int C = pop();
    if (I < 2) {
      __LOOPSCOPE_SPAN(2, PHASE, "phase", 1, "main");
      push("of phase");
      pop();
    }
    int D = pop();
    if (I == 2)
      std::printf("levels %d %d %d %d %d\n", A, B, C, D, pop());
  }
  // a of A ends while b of B is open: b ends with it.
  void *OfA = domain("A");
  void *OfB = domain("B");
  int A = push(OfA, "a");
  int B = push(OfB, "b");
  int C = push(OfB, "b2");
  std::printf("domain levels %d %d %d", A, B, C);
  pop(OfB);
  A = pop(OfA);
  B = pop(OfB);
  std::printf(" %d %d %d\n", A, B, pop(OfB));
  // Start/end ranges.
  for (int I = 0; I < 3; ++I)
    call<uint64_t>(CoreSlots[nvtx::RangeStartA], "started");
  std::thread([] {
    push("worker");
    push("not popped");
  }).join();
  // Too deep, and too many.
  for (int I = 0; I < 300; ++I)
    push("deep");
  for (int I = 0; I < 300; ++I)
    pop();
  for (int I = 0; I < 3000; ++I) {
    push(("many " + std::to_string(I)).c_str());
    pop();
  }
  push("around the fork");
  std::fflush(stdout);
  pid_t Child = fork();
  if (Child == 0) {
    bool Good = pop() == -1 && push("of the child") == 0 && pop() == 0;
    std::exit(Good ? 0 : 1);
  }
  int Status = 0;
  waitpid(Child, &Status, 0);
  std::printf("child %d\n", WEXITSTATUS(Status));
  pop();
}
