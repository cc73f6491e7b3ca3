// A forced flush returns work in flight as a record that CUPTI can't
// read, and CUPTI's reader stops there: the rest of the buffer is
// lost. Such buffers are counted; all others are read completely.
// RUN: printf '%%s\n' 'kernel long 20s' 'kernel short 1ms' 'incomplete unreadable' >%t.scenario
// RUN: %replayed %s -pthread && %gpu_records %t.loopscope | FileCheck %s --implicit-check-not='kernel long'
// CHECK: state on {{.*}} launches 9 records 5 ended
// CHECK: counters unreadable=1{{ *$}}
// CHECK-DAG: work main/work kernel short device 0 count 2 no_time 0 ms 2.000 min
// CHECK-DAG: work thread/other kernel short device 0 count 3 no_time 0 ms 3.000 min
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=FOOTER
// FOOTER: {{^}}1 buffer: of GPU records cut off at one that CUPTI can't read, of work in flight at the end: it and those after it are in no table.
// FOOTER: {{^}}9 launch calls but only 5 records of device work: the work of the others is missing here.
// RUN: loopscope report %t.loopscope --format json | FileCheck %s --check-prefix=JSON
// JSON: "gpu_unreadable": 1,{{$}}
//
// If CUPTI can read it, it has no time, and nothing is lost.
// RUN: printf '%%s\n' 'kernel long 20s' 'kernel short 1ms' >%t.scenario
// RUN: %replayed %s -pthread && %gpu_records %t.loopscope | FileCheck %s --check-prefix=READ
// READ: state on {{.*}} launches 9 records 9 ended
// READ: counters no_time=1{{ *$}}
#include "gpu.h"
#include <pthread.h>

static void *other(void *unused) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  PHASE(1, "other");
  for (int i = 0; i < 3; ++i)
    launch("short", stream);
  cudaStreamSynchronize(stream);
  return unused;
}

int main(void) {
  pthread_t thread;
  cudaStream_t streams[2];
  cudaStreamCreate(&streams[0]);
  cudaStreamCreate(&streams[1]);
  PHASE(2, "work");
  launch("short", streams[0]);
  launch("short", streams[0]);
  launch("long", streams[1]);
  for (int i = 0; i < 3; ++i)
    launch("short", streams[0]);
  cudaStreamSynchronize(streams[0]);
  pthread_create(&thread, NULL, other, NULL);
  pthread_join(thread, NULL);
}
