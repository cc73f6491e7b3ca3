// CUPTI refuses a tool that comes after us, and tells it
// who is first; the records that it enables nevertheless,
// and its flushes, don't change our figures.
// RUN: printf '%%s\n' 'kernel k 2ms' 'truth %t-truth' >%t.scenario
// RUN: %replayed %s
// RUN: %gpu_records %t.loopscope | FileCheck %s && grep '^refused' %t-truth | FileCheck %s --check-prefix=REFUSED
// RUN: cp %t-scenario %t.scenario && %replayed12 %s
// RUN: %gpu_records %t.loopscope | FileCheck %s && grep -c '^refused' %t-truth | grep -qx 2
// CHECK: state on {{.*}} launches 60 records 61 ended
// CHECK: counters{{ *$}}
// CHECK: work main/step kernel k device 0 count 60 no_time 0 ms 120.000 min
// REFUSED: refused CUPTI for Loopscope{{$}}
// REFUSED-NEXT: refused CUPTI for Loopscope{{$}}
// REFUSED-NOT: {{.}}
#include "gpu.h"

enum { SynchronizationKind = 38 };
static void *handle;
static void ignore(void *data, unsigned domain, unsigned id, const void *info) {
  (void)data, (void)domain, (void)id, (void)info;
}

int main(void) {
  char to[10] = "", from[10] = "";
  cudaMemcpy(to, from, sizeof to, cudaMemcpyHostToDevice);
  for (int i = 0; i < 60; ++i) {
    PHASE(1, "step");
    launch("k", NULL);
    if (i == 20 || i == 40)
      cuptiSubscribe(&handle, ignore, NULL);
    if (i == 30)
      cuptiActivityEnable(SynchronizationKind);
    if (i % 10 == 0)
      cuptiActivityFlushAll(0);
  }
  cudaDeviceSynchronize();
}
