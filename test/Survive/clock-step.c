// The wall clock may jump by an hour in either direction: durations come from another
// clock, and stay below the run's length.
// RUN: %survive_c -Wl,--wrap=loopscope_clock_gettime_
// RUN: %calls | FileCheck %s
// RUN: loopscope report --view simple --format csv %t.loopscope | awk -F, '$2 == "\"work\"" && $5 > 60 { exit 1 }'
// CHECK-DAG: {{^}}work,9{{$}}
#include "survive.h"
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long jump;

/* Replaces the runtime's clock. */
int __wrap_loopscope_clock_gettime_(clockid_t id, struct timespec *time) {
  long result = syscall(SYS_clock_gettime, id, time);
  if (id == CLOCK_REALTIME)
    time->tv_sec += jump;
  return (int)result;
}

int main(void) {
  for (int i = 0; i < 9; ++i) {
    PHASE(1, "work");
    jump = i % 3 * 3600 - 3600;
    usleep(2000);
  }
  puts("done");
}
