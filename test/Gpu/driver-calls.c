// A program that is itself linked with CUDA's driver. The
// runtime never calls the driver, neither before the program's
// first call nor later, and a child forked earlier can use CUDA.
// RUN: rm -rf %t-d && mkdir %t-d && %gcc -shared -fPIC %S/Inputs/driver.c -Wl,-soname,libcuda.so.1 -o %t-d/libcuda.so.1
// RUN: env DRIVER_LOG=%t-d/default %replayed %s %t-d/libcuda.so.1 -Wl,-rpath,%t-d
// RUN: FileCheck %s --match-full-lines --input-file=%t-d/default && %gpu_records %t.loopscope | FileCheck %s --check-prefix=ALL
// The calls of the plain run, and of the run with hooks.
//      CHECK:cuInit
// CHECK-NEXT:cuInit
// CHECK-NEXT:cuInit
// CHECK-NEXT:cuInit
// CHECK-NOT:{{.}}
// ALL: state on {{.*}} launches 6 records 6 ended
//
// With gpu=yield, CUPTI isn't called either before the program has initialised
// the driver. The driver is asked whether that happened, which starts nothing.
// RUN: printf '%%s\n' 'truth %t-d/never.truth' >%t.scenario
// RUN: env DRIVER_LOG=%t-d/never SURVIVE_OPTIONS=gpu=yield %replayed %s -DNEVER %t-d/libcuda.so.1 -Wl,-rpath,%t-d
// RUN: not grep cupti %t-d/never.truth && sort -u %t-d/never | FileCheck %s --check-prefix=ASKED --match-full-lines
// ASKED:cuCtxGetCurrent
// ASKED-NOT:{{.}}
// RUN: FileCheck %s --check-prefix=SILENT --allow-empty --input-file=%t.err
// SILENT-NOT: loopscope
// RUN: env DRIVER_LOG=%t-d/late SURVIVE_OPTIONS=gpu=yield %replayed %s %t-d/libcuda.so.1 -Wl,-rpath,%t-d
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=LATE
// LATE: state on {{.*}} launches 3 records 3 ended
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=SAID
// SAID: GPU data begins {{.*}} after the run's start, when CUDA was found to be loaded: anything launched earlier is missing here.
#include "gpu.h"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int cuInit(unsigned flags);

static int (*volatile start)(unsigned flags) = cuInit;

static void work(const char *kernel) {
  for (int i = 0; i < 3; ++i)
    launch(kernel, NULL);
}

int main(int count, char **arguments) {
  (void)count, (void)arguments;
  {
    PHASE(1, "before");
    usleep(1000);
  }
  {
    PHASE(2, "before, too");
    usleep(1000);
  }
#ifdef NEVER
  return start == NULL;
#endif
  pid_t child = fork();
  if (child == 0)
    _exit(start(0));
  int status = -1;
  waitpid(child, &status, 0);
  {
    PHASE(3, "first");
    printf("child %d, parent %d\n", status, start(0));
    work("first");
  }
  PHASE(4, "second");
  work("second");
  cudaDeviceSynchronize();
}
