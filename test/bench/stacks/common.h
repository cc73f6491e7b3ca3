// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs that stacks-perf.py runs have in common.
#ifndef LOOPSCOPE_TEST_BENCH_STACKS_COMMON_H
#define LOOPSCOPE_TEST_BENCH_STACKS_COMMON_H

#include <loopscope/hooks.h>

#define PHASE(ID, NAME) __LOOPSCOPE_SPAN(ID, PHASE, NAME, __LINE__, "main")
#define APART __attribute__((noinline, noclone))

static volatile double sink;

// N turns of some two nanoseconds: a macro, as a function that is inlined is
// one to the report and none to perf.
#define TURNS(N)                                                               \
  double x = sink;                                                             \
  for (long i = 0; i < (N); ++i)                                               \
    x = x * 0.999999 + 1e-9;                                                   \
  sink = x

#endif // LOOPSCOPE_TEST_BENCH_STACKS_COMMON_H
