// After a fork before the first CUDA call, both processes collect their data.
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
      PHASE(2, "in child");
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
