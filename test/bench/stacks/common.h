// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the programs that stacks-perf.py runs.
#ifndef LOOPSCOPE_TEST_BENCH_STACKS_COMMON_H
#define LOOPSCOPE_TEST_BENCH_STACKS_COMMON_H

#include <loopscope/hooks.h>

#define PHASE(ID, NAME) __LOOPSCOPE_SPAN(ID, PHASE, NAME, __LINE__, "main")
#define APART __attribute__((noinline, noclone))

static volatile double sink;

// N iterations of about two nanoseconds. A macro, because an inlined function
// is a function in the report but not in perf.
#define TURNS(N)                                                               \
  double x = sink;                                                             \
  for (long i = 0; i < (N); ++i)                                               \
    x = x * 0.999999 + 1e-9;                                                   \
  sink = x

#endif // LOOPSCOPE_TEST_BENCH_STACKS_COMMON_H
