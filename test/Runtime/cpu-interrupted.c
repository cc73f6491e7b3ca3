// Readings of CPU time at borders are system calls, in which a busy processor often goes to
// other threads. That time is (profiler), neither a wait for data nor a phase's: the loops'
// headers do nothing, and nothing is outside the phases, whatever else runs on the processor.
// REQUIRES: rewriter, gcc, long
// RUN: rm -f %t.*.loopscope && loopscope-launch gcc -O1 %s -o %t
// RUN: for i in 1 2; do env LOOPSCOPE=report=none,output=%t.$i.loopscope %t 3 || exit 1; done
// RUN: env LOOPSCOPE=cpu=on,report=none,output=%t.3.loopscope %t 3
// RUN: env LOOPSCOPE=report=none,output=%t.4.loopscope %t 0
// RUN: for i in 1 2 3 4; do loopscope report %t.$i.loopscope --view tree --format csv > %t.csv && awk -F, -f %S/Inputs/no_wait.awk %t.csv || exit 1; done
// RUN: loopscope report %t.3.loopscope --view overview | FileCheck %s
// CHECK: Other threads ran for {{.*}} while the profiler read the thread's CPU time: rows (profiler) include that. LOOPSCOPE=cpu=off reads none.
// RUN: for i in 1 2 3 4; do loopscope report %t.$i.loopscope --view overview | not grep profiler-bound || exit 1; done
// RUN: loopscope report %t.3.loopscope --view tree --format json | FileCheck %s --check-prefix=JSON
// JSON: "interrupted_s": {{0\.[0-9]*[1-9]|[1-9][0-9.]*}},{{$}}
#define _GNU_SOURCE
#include <loopscope/annotate.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static volatile double Value;

static void work(void) {
  for (int I = 0; I < 500000; ++I)
    Value = Value * 0.999 + I;
}

/* Keeps the processor busy until its parent is gone. */
static void spin(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (volatile long I = 0;; ++I)
    ;
}

int main(int Count, char **Words) {
  cpu_set_t Own;
  sched_getaffinity(0, sizeof(Own), &Own);
  int First = 0;
  while (!CPU_ISSET(First, &Own))
    ++First;
  CPU_ZERO(&Own);
  CPU_SET(First, &Own);
  sched_setaffinity(0, sizeof(Own), &Own);
  for (int Others = Count > 1 ? atoi(Words[1]) : 0; Others > 0; --Others)
    if (fork() == 0)
      spin();
  LOOPSCOPE_TRAIN("1")
  for (int Step = 0; Step < 300; ++Step) // so many that one interruption in a header is no hundredth
    LOOPSCOPE_PHASE("work") work();
  printf("%d\n", Value > 0);
  return 0;
}
