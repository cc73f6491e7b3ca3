// A tool that registers buffer callbacks after us gets all records
// from then on, and those in our buffers, without notice. This is
// detected at the end, when CUPTI keeps our buffers or kernels
// have no record, and reported; the figures cover the time before.
// RUN: printf '%%s\n' 'kernel k 2ms' >%t.scenario
// RUN: %replayed %s && FileCheck %s --check-prefix=SAID --input-file=%t.err
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefixes=CHECK,MAY
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=REPORT
// RUN: cp %t-scenario %t.scenario && %replayed12 %s
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefixes=CHECK,MAY
// SAID: loopscope: GPU data is incomplete: CUPTI gave no record of at least 40 kernels launched from then on;
// CHECK: state stopped {{.*}} launches 60 records 20 ended yes
// MAY: note CUPTI gave no record of at least 40 kernels launched from then on; another tool may have taken over its buffers or turned its records off{{$}}
// CHECK: counters{{ *$}}
// CHECK: work main/step kernel k device 0 count 20 no_time 0 ms 40.000 min
// REPORT: {{^}}GPU data ends {{[0-9.]+ .*s}} after the run's start: CUPTI gave no record of at least 40 kernels launched from then on; another tool may have taken over its buffers or turned its records off.{{$}}
// REPORT: {{^}}60 launch calls but only 20 records of device work: the work of the others is missing here.{{$}}
//
// With our records in buffers at that moment.
// RUN: cp %t-scenario %t.scenario && %replayed %s -DEARLY
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=EARLY
// EARLY: state stopped {{.*}} launches 60 records {{[0-9]+}} ended yes
// EARLY: note another tool took over CUPTI's buffers; at least {{[456][0-9]}} kernels launched from then on have no record{{$}}
//
// A tool that turns kernel records off.
// RUN: cp %t-scenario %t.scenario && %replayed %s -DDISABLES
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefixes=CHECK,MAY
//
// Since 13.3, CUPTI serves several tools and refuses one that wants everything.
// RUN: (cat %t-scenario && echo 'cupti 130300') >%t.scenario && %replayed %s
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: state on {{.*}} launches 60 records 60 ended yes
// SEVERAL: note {{$}}
#include "gpu.h"

enum { KernelKind = 10 };

#ifndef DISABLES
static char memory[1 << 20];

static void request(unsigned char **buffer, size_t *size, size_t *records) {
  *buffer = (unsigned char *)memory;
  *size = sizeof memory;
  *records = 0;
}

static void complete(void *context, unsigned stream, unsigned char *buffer,
                     size_t size, size_t valid) {
  (void)context, (void)stream, (void)buffer, (void)size, (void)valid;
}
#endif

int main(void) {
  for (int i = 0; i < 60; ++i) {
    PHASE(1, "step");
    if (i == 20) {
#ifndef EARLY
      cudaDeviceSynchronize();
      cuptiActivityFlushAll(1);
#endif
#ifdef DISABLES
      cuptiActivityDisable(KernelKind);
#else
      cuptiActivityRegisterCallbacks(request, complete);
#endif
    }
    launch("k", NULL);
  }
  cudaDeviceSynchronize();
}
