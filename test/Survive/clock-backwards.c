// A clock that runs backwards causes no negative or huge durations: such spans count as
// 0 s, and the report gives their number.
// REQUIRES: mount
// RUN: echo hpet > %t-source
// RUN: env SURVIVE_RUN='unshare -m sh -c "mount --bind %t-source /sys/devices/system/clocksource/clocksource0/current_clocksource && exec $1"' %survive_c -Wl,--wrap=loopscope_clock_gettime_
// RUN: %calls | FileCheck %s
// RUN: loopscope report --view simple --format csv %t.loopscope | awk -F, '$2 == "\"work\"" && $5 > 60 { exit 1 }'
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=TOLD
// CHECK-DAG: {{^}}work,9{{$}}
// TOLD: own cost: {{.*}}s ({{[0-9.]+}}% of wall time)
// TOLD: {{^}}3 spans: ended before the start, by the clock; counted with no time.
// TOLD-NOT: damaged
// TOLD: The clock went backwards during the run; the wall time is that of its phases.
#include "survive.h"
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long back;

/* Replaces the runtime's clock. */
int __wrap_loopscope_clock_gettime_(clockid_t id, struct timespec *time) {
  long result = syscall(SYS_clock_gettime, id, time);
  time->tv_sec += 100 - back;
  return (int)result;
}

int main(void) {
  for (int i = 0; i < 9; ++i) {
    PHASE(1, "work");
    back += i % 3 == 0;
  }
  puts("done");
}
