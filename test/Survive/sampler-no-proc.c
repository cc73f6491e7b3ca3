// Without /proc the sampler has only the process's CPU time; the other figures are
// missing, not 0.
// REQUIRES: mount
// RUN: env SURVIVE_OPTIONS=devices=10ms SURVIVE_RUN='unshare -m sh -c "mount -t tmpfs none /proc && exec $1"' %survive_c
// RUN: count 0 < %t.err
// RUN: loopscope report --view devices --format csv %t.loopscope | FileCheck %s
// CHECK: stage,table,action,samples,process_cpu_percent_mean,process_cpu_percent_max{{$}}
// CHECK: {{^}}"fit","host","Total",{{[1-9][0-9]*}},
#include "survive.h"
#include <stdio.h>
#include <unistd.h>

int main(void) {
  PHASE(1, "work");
  usleep(1000000);
  puts("done");
}
