// The host's and the process's metrics are charged to the
// main thread's innermost phase, whatever other threads do.
// RUN: rm -f %t.loopscope && %build_c
// RUN: env LOOPSCOPE=devices=10ms,report=none,output=%t.loopscope %t %t.loopscope
// RUN: %devices --columns action,samples,process_cpu_percent_max,process_rss_bytes_max,process_threads_max %t.loopscope | FileCheck %s
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=FOOTER
// CHECK: {{^}}stage,table,action,samples,
// CHECK-DAG: {{^}}"fit","host","Total",{{[1-9][0-9]*,[0-9.e-]+,[1-9][0-9]+,2$}}
// CHECK-DAG: {{^}}"fit","host","outer",{{[1-9][0-9]*,[0-9.e-]+,[1-9][0-9]+,2$}}
// CHECK-DAG: {{^}}"fit","host","inner",{{[1-9][0-9]*,[0-9.e-]+,[1-9][0-9]+,2$}}
// CHECK-NOT: worker
// FOOTER: Device sampler: {{[0-9]+}} samples, requested every 10 ms; {{.*}} of CPU time
#include "work.h"

#include <pthread.h>

static int done;

static void *body(void *argument) {
  __LOOPSCOPE_SPAN(1, PHASE, "worker", 1, "body");
  while (!__atomic_load_n(&done, __ATOMIC_RELAXED))
    usleep(1000);
  return argument;
}

int main(int argc, char **argv) {
  __LOOPSCOPE_SPAN(2, PHASE, "outer", 1, "main");
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  int good = wait_for_rounds(argv[argc - 1], 5);
  __LOOPSCOPE_SPAN(3, PHASE, "inner", 1, "main");
  good &= wait_for_rounds(argv[argc - 1], 5);
  __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
  pthread_join(thread, NULL);
  return !good;
}
