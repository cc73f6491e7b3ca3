// A program that enters its own namespace, which only single-threaded processes may do,
// is profiled without the sampler's thread, and its profile says so.
// RUN: %survive_cxx
// RUN: %calls | FileCheck %s
// RUN: not loopscope report --view devices %t.loopscope 2>&1 | FileCheck %s --check-prefix=WHY
// CHECK-DAG: {{^}}work,1{{$}}
// WHY: the run has no device samples (the program uses unshare, which tolerates no second thread; devices=250 starts one anyway)
#include "survive.h"
#include <cerrno>
#include <cstdio>
#include <sched.h>

int main() {
  PHASE(1, "work");
  // Not every machine allows it, but none returns EINVAL.
  std::printf("%d\n", unshare(CLONE_NEWUSER) != 0 && errno == EINVAL);
}
