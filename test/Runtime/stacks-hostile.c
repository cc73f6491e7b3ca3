// Samples and segments that contradict the file are left out and counted, and
// the report survives any of them.
// RUN: rm -f %t.*loopscope && %build_c
// RUN: env LOOPSCOPE=stacks,report=none,output=%t.loopscope %t
// RUN: %python %S/Inputs/damage_stacks.py %t.loopscope %t.damaged.loopscope
#include <loopscope/hooks.h>
#include <time.h>

static volatile double sink;

int main(void) {
  __LOOPSCOPE_SPAN(1, PHASE, "work", 1, "main");
  for (clock_t start = clock(); clock() < start + CLOCKS_PER_SEC / 2;)
    for (int i = 0; i < 1000; ++i)
      sink = sink * 1.0000001 + 1e-9;
}
