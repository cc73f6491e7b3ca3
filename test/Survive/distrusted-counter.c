// A time stamp counter that the kernel distrusts isn't used: the clock is
// CLOCK_MONOTONIC, and the profile says so.
// REQUIRES: mount
// RUN: echo hpet > %t-source
// RUN: env SURVIVE_RUN='unshare -m sh -c "mount --bind %t-source /sys/devices/system/clocksource/clocksource0/current_clocksource && exec $1"' %survive_c
// RUN: %calls | FileCheck %s
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=TOLD
// CHECK-DAG: {{^}}work,1000{{$}}
// TOLD: The time stamp counter isn't reliable here; times come from CLOCK_MONOTONIC
#include "survive.h"
#include <stdio.h>

int main(void) {
  for (int i = 0; i < 1000; ++i) {
    PHASE(1, "work");
  }
  puts("done");
}
