// A loop that takes exactly three sampling intervals has the right shares: perf events come
// at random times. Samples at the kernel's ticks don't: they have no intervals, and a line
// says why.
// REQUIRES: long
// RUN: rm -f %t.*.loopscope && %gcc -O1 -g -Wall -Werror %runtime_include %s -o %t %runtime_lib
// RUN: env LOOPSCOPE=stacks=300,report=none,output=%t.300.loopscope %t 10 3
// RUN: loopscope report --view functions --format csv %t.300.loopscope > %t.csv && %python %S/Inputs/check_in_step.py %t.csv
// RUN: env LOOPSCOPE=stacks=20,report=none,output=%t.20.loopscope %t 10 1.5
// RUN: loopscope report --view functions --format csv %t.20.loopscope | FileCheck %s --check-prefix=NONE
// RUN: loopscope report --view functions %t.20.loopscope | FileCheck %s --check-prefix=WHY
// NONE: "train","main",{{.*}},"stacks-in-step.c.tmp",{{.*}},,{{$}}
// WHY: Without intervals: {{[0-9]+}} samples were taken at the kernel's ticks. A loop that runs in step with them has wrong shares. LOOPSCOPE=stacks=N takes them at random times, in the program's own code, for N above {{[0-9]+}} and if the kernel allows perf events.
#include <loopscope/hooks.h>
#include <stdlib.h>
#include <time.h>

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static volatile double sink;
#define SPIN_UNTIL(END)                                                        \
  while (cpu() < (END))                                                        \
    for (int i = 0; i < 300; ++i)                                              \
      sink = sink * 0.999 + 1;

__attribute__((noinline)) static void sixty(double end) { SPIN_UNTIL(end) }
__attribute__((noinline)) static void thirty(double end) { SPIN_UNTIL(end) }
__attribute__((noinline)) static void ten(double end) { SPIN_UNTIL(end) }

int main(int count, char **words) {
  double period = count > 1 ? atof(words[1]) / 1e3 : 0.010;
  double seconds = count > 2 ? atof(words[2]) : 1;
  double begin = cpu();
  __LOOPSCOPE_SPAN(1, PHASE, "train", 1, "main");
  for (double at = begin; at < begin + seconds; at += period) {
    sixty(at + 0.6 * period);
    thirty(at + 0.9 * period);
    ten(at + period);
  }
  return 0;
}
