// After a fork before the first CUDA call, both processes collect their data,
// since the child opens a phase before it uses CUDA.
// RUN: %replayed %s
// RUN: FileCheck %s --allow-empty --input-file=%t.err
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=PARENT
// RUN: mv %t.loopscope %t.parent; mv %t.*.loopscope %t.loopscope
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=CHILD
// CHECK-NOT: loopscope
// PARENT: state on {{.*}} launches 3 records 3 ended
// PARENT: work main/work kernel parent device 0 count 3 no_time 0 ms
// CHILD: state on {{.*}} launches 5 records 5 ended
// CHILD: work {{.*}}in child kernel child device 0 count 5 no_time 0 ms
//
// A child that uses CUDA before Loopscope can look has no data, which one line
// says, and nothing hangs.
// RUN: rm -f %t.*.loopscope && %replayed %s -DAT_ONCE
// RUN: FileCheck %s --check-prefix=AT-ONCE --input-file=%t.err
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=PARENT
// AT-ONCE: loopscope: no GPU data: this process was forked from one with GPU collection
// AT-ONCE-NOT: loopscope
#include "gpu.h"
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  {
    PHASE(1, "before");
  }
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 5; ++i) {
#ifndef AT_ONCE
      PHASE(2, "in child");
#endif
      launch("child", NULL);
    }
    cudaDeviceSynchronize();
    return 0;
  }
  for (int i = 0; i < 3; ++i) {
    PHASE(3, "work");
    launch("parent", NULL);
  }
  cudaDeviceSynchronize();
  wait(NULL);
}
