// GPU metrics come through NVML; figures that NVML lacks are missing, with a message,
// and the others are recorded. Without CUDA in the program, nothing is loaded.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %build_nvml nvml.so && %build_c
// RUN: env LOOPSCOPE_NVML=$PWD/nvml.so LOOPSCOPE=devices=10ms,report=none,output=all.loopscope %t all.loopscope
// RUN: %devices all.loopscope | FileCheck %s
// CHECK: {{^}}stage,table,action,samples,{{.*}},utilization.gpu_percent_mean,utilization.gpu_percent_max,memory.used_bytes_mean,memory.used_bytes_max,power.draw_watts_mean,power.draw_watts_max,temperature.gpu_celsius_mean,temperature.gpu_celsius_max,clocks.sm_hertz_mean,clocks.sm_hertz_max,utilization.memory_percent_mean,utilization.memory_percent_max,clocks.mem_hertz_mean,clocks.mem_hertz_max
// CHECK: {{^}}"fit","gpu_0","Total",{{[1-9][0-9]*,+}}90,90,64424509440,64424509440,650,650,55,55,1980000000,1980000000,40,40,2619000000,2619000000{{$}}
// CHECK-NEXT: {{^}}"fit","gpu_0","work",{{[1-9][0-9]*,+}}90,
// CHECK: {{^}}"fit","gpu_1","Total",{{[1-9][0-9]*,+}}20,20,1073741824,1073741824,70.5,70.5,
// RUN: loopscope report --view devices all.loopscope | FileCheck %s --check-prefix=TEXT
// TEXT: The GPU has 81920 MiB of memory.
// TEXT-NOT: Incomplete
//
// RUN: env FAKE_NVML=driver LOOPSCOPE_NVML=$PWD/nvml.so LOOPSCOPE=devices=10ms,report=none,output=driver.loopscope %t driver.loopscope
// RUN: loopscope report --view devices driver.loopscope | FileCheck %s --check-prefix=DRIVER
// DRIVER-NOT: GPU 0
// DRIVER: Incomplete: no GPU metrics: NVML says: Driver Not Loaded.
// RUN: env FAKE_NVML=count LOOPSCOPE_NVML=$PWD/nvml.so LOOPSCOPE=devices=10ms,report=none,output=count.loopscope %t count.loopscope
// RUN: loopscope report --view devices count.loopscope | FileCheck %s --check-prefix=COUNT
// COUNT: Incomplete: no GPU metrics: NVML says: Insufficient Permissions.
// RUN: env FAKE_NVML=second LOOPSCOPE_NVML=$PWD/nvml.so LOOPSCOPE=devices=10ms,report=none,output=second.loopscope %t second.loopscope
// RUN: loopscope report --view devices second.loopscope | FileCheck %s --check-prefix=SECOND
// SECOND: First GPU
// SECOND-NOT: Second GPU
// SECOND: Incomplete: no metrics of GPU 1: Insufficient Permissions.
// RUN: env FAKE_NVML=mig LOOPSCOPE_NVML=$PWD/nvml.so LOOPSCOPE=devices=10ms,report=none,output=mig.loopscope %t mig.loopscope
// RUN: loopscope report --view devices mig.loopscope | FileCheck %s --check-prefix=MIG
// MIG: First GPU
// MIG-NOT: GPU %
// MIG: Second GPU
// MIG: GPU %
// MIG: Incomplete: GPU 0 is split by MIG: its figures are those of the whole GPU, and its utilisation can't be read.
// RUN: env FAKE_NVML=power LOOPSCOPE_NVML=$PWD/nvml.so LOOPSCOPE=devices=10ms,report=none,output=power.loopscope %t power.loopscope
// RUN: loopscope report --view devices power.loopscope | FileCheck %s --check-prefix=POWER
// POWER-NOT: Power W
// POWER: Incomplete: no power of GPU 0: Insufficient Permissions; no power of GPU 1: Insufficient Permissions.
// RUN: env FAKE_NVML=bare LOOPSCOPE_NVML=$PWD/nvml.so LOOPSCOPE=devices=10ms,report=none,output=bare.loopscope %t bare.loopscope
// RUN: %devices bare.loopscope | FileCheck %s --check-prefix=BARE --match-full-lines
// BARE:stage,table,action,samples,{{.*}}_max,memory.used_bytes_mean,memory.used_bytes_max
// BARE:"fit","gpu_0","Total",{{[1-9][0-9]*,+}}64424509440,64424509440
// RUN: env FAKE_NVML=lost LOOPSCOPE_NVML=$PWD/nvml.so LOOPSCOPE=devices=10ms,report=none,output=lost.loopscope %t lost.loopscope
// RUN: %devices lost.loopscope | FileCheck %s --check-prefix=LOST
// RUN: loopscope report --view devices lost.loopscope | FileCheck %s --check-prefix=GONE
// LOST: {{^}}"fit","gpu_1","Total",{{2,+}}20,
// GONE: Incomplete: GPU 1 was lost while the program ran.
//
// RUN: env LOOPSCOPE_NVML=$PWD/none.so LOOPSCOPE=devices=10ms,report=none,output=none.loopscope %t none.loopscope
// RUN: loopscope report --view devices none.loopscope | FileCheck %s --check-prefix=NONE
// NONE: Incomplete: no GPU metrics: {{.*}}/none.so can't be loaded; LOOPSCOPE_NVML=PATH names another.
// RUN: env LOOPSCOPE=devices=10ms,report=none,output=plain.loopscope %t plain.loopscope
// RUN: loopscope report --view devices plain.loopscope | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: {{GPU|Incomplete}}
#include "work.h"

int main(int argc, char **argv) {
  __LOOPSCOPE_SPAN(1, PHASE, "work", 1, "main");
  return !wait_for_rounds(argv[argc - 1], 6);
}
