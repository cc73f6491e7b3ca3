// A process that is killed between the two parts of a span's figures, wall time and
// processor time, leaves the figures of the earlier spans.
// RUN: env SURVIVE_OPTIONS=cpu=on %survive_c
// RUN: loopscope report --view simple --format csv %t.loopscope | %python %S/Inputs/torn_cpu.py 7
// RUN: %python %S/Inputs/tear_cpu.py %t.loopscope %t.torn 1
// RUN: loopscope report --view simple --format csv %t.torn | %python %S/Inputs/torn_cpu.py 6
// RUN: loopscope report %t.torn | FileCheck %s --check-prefix=TORN
// TORN: {{^}}1 call path: being written while the profile was read, numbers may be off by one span.{{$}}
// Inconsistent figures are left out.
// RUN: %python %S/Inputs/tear_cpu.py %t.loopscope %t.damaged 2
// RUN: loopscope report --view simple --format csv %t.damaged | %python %S/Inputs/torn_cpu.py 0
// RUN: loopscope report %t.damaged | FileCheck %s --check-prefix=DAMAGED
// DAMAGED: {{^}}1 record: damaged and left out or repaired.{{$}}
//
// The same at random moments of a program that does almost nothing but measure.
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %gcc -O1 %runtime_include %S/Inputs/killer.c -o %t.killer
// RUN: env SURVIVE_OPTIONS=cpu=on %t.killer %t.hooked %t.d 100 5 begun > %t.made
// RUN: test $(cat %t.made) -eq 100
// RUN: for p in %t.d/*.loopscope; do loopscope report --view simple --format csv $p | %python %S/Inputs/torn_cpu.py any || exit 1; done
#include "survive.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static void spin(double seconds) {
  struct timespec now;
  double end = 0;
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    double at = (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
    end = end == 0 ? at + seconds : end;
    if (at >= end)
      break;
  } while (1);
}

static void be_killed(const char *progress) {
  volatile uint64_t *done = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
                                 open(progress, O_RDWR), 0);
  for (;;) {
    {
      PHASE(1, "work");
      PHASE(2, "part");
      END(2);
      ++done[1];
    }
    ++done[0];
  }
}

// The last argument is the killer's progress file, or the profile.
int main(int argc, char **argv) {
  if (strstr(argv[argc - 1], "/progress") != NULL)
    be_killed(argv[argc - 1]);
  for (int i = 0; i < 7; ++i) { // beside other load, the last may be several times as long
    PHASE(3, "spin");
    spin(0.02);
  }
  puts("done");
}
