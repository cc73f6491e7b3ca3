// A child forked after CUDA began can't be followed:
// it has host timings, its CUDA calls work as usual,
// and one line says so. The parent's data is complete.
// RUN: %replayed %s
// RUN: FileCheck %s --input-file=%t.err
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=PARENT
// RUN: mv %t.loopscope %t.parent; mv %t.*.loopscope %t.loopscope
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=CHILD
// RUN: %calls | FileCheck %s --check-prefix=TIMED
// CHECK: loopscope: no GPU data: this process was forked from one with GPU collection, {{.*}}
// CHECK-NOT: {{.}}
// PARENT: state on {{.*}} launches 8 records 8 ended
// CHILD: state missing {{.*}} launches 0 records 0 ended
// TIMED: in child,5{{$}}
#include "gpu.h"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(int count) {
  for (int i = 0; i < count; ++i) {
    PHASE(1, "work");
    launch("work", NULL);
  }
}

int main(void) {
  work(3);
  pid_t child = fork();
  for (int i = 0; child == 0 && i < 5; ++i) {
    PHASE(2, "in child");
    launch("child", NULL);
  }
  if (child != 0) {
    wait(NULL);
    work(5);
    cudaDeviceSynchronize();
  }
}
