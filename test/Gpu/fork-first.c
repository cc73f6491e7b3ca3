// A child that uses CUDA before Loopscope can look: its work isn't collected,
// which one line says, and nothing hangs.
// RUN: %replayed %s
// RUN: FileCheck %s --input-file=%t.err
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=PARENT
// CHECK: loopscope: no GPU data: this process was forked from one with GPU collection
// CHECK-NOT: loopscope
// PARENT: state on {{.*}} launches 3 records 3 ended
#include "gpu.h"
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  {
    PHASE(1, "before");
  }
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 5; ++i)
      launch("child", NULL);
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
