// Programs built with --default-stream per-thread call functions
// with other names, and each thread has its own default stream:
// two threads' kernels run at once, and count once in the
// device's time. With one default stream they run in sequence.
// RUN: printf '%%s\n' 'kernel k 30ms' 'default-stream thread' >%t.scenario
// RUN: env SURVIVE_OPTIONS=trace,cap=8M %replayed %s -pthread
// RUN: %gpu_records %t.loopscope --events >%t.records
// RUN: FileCheck %s --input-file=%t.records --check-prefixes=CHECK,OWN
// RUN: grep '^event kernel' %t.records | grep -o 'stream [0-9]*' | sort -u | wc -l | grep -qx 2
// RUN: printf '%%s\n' 'kernel k 30ms' >%t.scenario
// RUN: env SURVIVE_OPTIONS=trace,cap=8M %replayed %s -pthread
// RUN: %gpu_records %t.loopscope --events >%t.records
// RUN: FileCheck %s --input-file=%t.records --check-prefixes=CHECK,ONE
// RUN: grep '^event kernel' %t.records | grep -o 'stream [0-9]*' | sort -u | wc -l | grep -qx 1
// CHECK: counters{{ *$}}
// CHECK: node thread/work launches 3 waits 2 calls 0{{( .*)?$}}
// CHECK: node thread/work launches 3 waits 2 calls 0{{( .*)?$}}
// A thread may come later than the other, on a busy machine.
// OWN: device 0 {{.*}} busy {{([6-9][0-9]|1[01][0-9])\.[0-9]+}} kernels {{([6-9][0-9]|1[01][0-9])\.[0-9]+}}{{( .*)?$}}
// ONE: device 0 {{.*}} busy {{12[0-9]\.[0-9]+}} kernels 120.000 copies
// OWN: event launch-call thread/work cudaLaunchKernel {{.*}} callback 214{{( .*)?$}}
// ONE: event launch-call thread/work cudaLaunchKernel {{.*}} callback 211{{( .*)?$}}
#include "gpu.h"
#include <pthread.h>

static char to[1000], from[1000];
static pthread_barrier_t both;

static void *work(void *unused) {
  cudaMemset(to, 0, 1);
  pthread_barrier_wait(&both);
  PHASE(1, "work");
  launch("k", NULL);
  launch("k", NULL);
  cudaMemcpyAsync(to, from, sizeof to, cudaMemcpyHostToDevice, NULL);
  cudaStreamSynchronize(NULL);
  cudaMemcpy(to, from, sizeof to, cudaMemcpyDeviceToHost);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_barrier_init(&both, NULL, 2);
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
}
