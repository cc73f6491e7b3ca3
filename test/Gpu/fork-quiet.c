// A forked child that doesn't use CUDA gets no message.
// RUN: %replayed %s
// RUN: FileCheck %s --allow-empty --input-file=%t.err
// RUN: mv %t.loopscope %t.parent; mv %t.*.loopscope %t.loopscope
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=CHILD
// CHECK-NOT: loopscope
// CHILD: state unused cupti 0 launches
#include "gpu.h"
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  launch("work", NULL);
  if (fork() == 0) {
    PHASE(1, "in child");
    return 0;
  }
  wait(NULL);
}
