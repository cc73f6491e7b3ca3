// While the kernel that was launched first is running, its start is
// unknown, so nothing later is settled. If the program is killed then,
// counts and sums remain, and the profile says what is in no union.
// RUN: printf '%%s\n' 'kernel endless 100s' 'kernel short 1ms' >%t.scenario
// RUN: %replayed %s -pthread && %gpu_records %t.loopscope | FileCheck %s
// CHECK: state on {{.*}} launches 6 records 5 ended no
// CHECK: counters unsettled=5{{$}}
// CHECK-DAG: work thread/short kernel short device 0 count 5 no_time 0 ms 5.000 min
// CHECK-DAG: device 0 {{.*}} busy 0.000 kernels 0.000 copies 0.000 filled
// CHECK-NOT: {{^}}overlap
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=FOOTER
// FOOTER: {{^}}5 pieces: of device work that can't be settled, because the record of earlier work hadn't come: missing from GPU, wait and idle times.
// FOOTER: {{^}}6 launch calls but only 5 records of device work: the work of the others is missing here.
#include "gpu.h"
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void *work(void *unused) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  PHASE(1, "short");
  for (int i = 0; i < 5; ++i)
    launch("short", stream);
  cudaStreamSynchronize(stream);
  return unused;
}

int main(void) {
  pthread_t thread;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  PHASE(2, "endless");
  launch("endless", stream);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  sleep(2);
  raise(SIGKILL);
}
