// A program that loads CUDA at run time, after its first phase: the first
// visit of a call path notices, and the report says since when there is data.
// RUN: rm -rf %t.d && mkdir %t.d && cp %replay_folder/libreplay-13.so %t.d/libcudart.so.13
// RUN: %gcc -shared -fPIC -DLIBRARY -DPLAIN -I %S/Inputs -I %S/../Survive/Inputs -I %S/../replay %s -o %t.d/plugin.so %t.d/libcudart.so.13
// RUN: %gcc -I %S/Inputs -I %S/../Survive/Inputs -I %S/../replay %runtime_include %s -o %t.d/host %runtime_lib
// RUN: env LOOPSCOPE_CUPTI=%t.d/libcudart.so.13 LOOPSCOPE=report=none,devices=off,output=%t.d/run.loopscope %t.d/host %t.d/plugin.so 2>&1 | FileCheck %s --allow-empty
// RUN: %gpu_records %t.d/run.loopscope | FileCheck %s --check-prefix=RECORDS
// RUN: loopscope report %t.d/run.loopscope --view simple | FileCheck %s --check-prefix=REPORT
// CHECK-NOT: {{.}}
// RECORDS: state on {{.*}} launches 5 records 5 ended
// RECORDS-DAG: work main/plugin kernel plugged device 0 count 5 no_time
// REPORT: GPU data begins {{[0-9.]+ ?[^ ]*s}} after the run's start, when CUDA was found to be loaded: anything launched earlier is missing here.
//
// The same with a timeline.
// RUN: env LOOPSCOPE_CUPTI=%t.d/libcudart.so.13 LOOPSCOPE=trace,cap=8M,report=none,devices=off,output=%t.d/trace.loopscope %t.d/host %t.d/plugin.so
// RUN: %gpu_records %t.d/trace.loopscope --events | FileCheck %s --check-prefix=TRACE
// TRACE: counters{{ *$}}
// TRACE: event launch-call main/plugin cudaLaunchKernel
// TRACE: event kernel main/plugin plugged
//
// In an existing phase, without a new
// call path, the device sampler notices.
// RUN: env LOOPSCOPE_CUPTI=%t.d/libcudart.so.13 LOOPSCOPE=report=none,devices=10,output=%t.d/loop.loopscope timeout 60 %t.d/host %t.d/plugin.so again 2>&1 | FileCheck %s --allow-empty
// RUN: %gpu_records %t.d/loop.loopscope | FileCheck %s --check-prefix=LOOP
// LOOP-DAG: work main/before kernel plugged device 0 count {{[1-9][0-9]*}} no_time
//
// Without either, the program runs as without us.
// RUN: env LOOPSCOPE_CUPTI=%t.d/libcudart.so.13 LOOPSCOPE=report=none,gpu=off,output=%t.d/off.loopscope %t.d/host %t.d/plugin.so 2>&1 | FileCheck %s --allow-empty
// RUN: %gpu_records %t.d/off.loopscope | FileCheck %s --check-prefix=OFF
// OFF: state unused cupti 0 launches 0 records
#include "gpu.h"
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef LIBRARY
void work(void) {
  for (int i = 0; i < 5; ++i)
    launch("plugged", NULL);
  cudaDeviceSynchronize();
}
#else
/* Whether the collector's thread runs, which starts at a CUDA call. */
static int collects(void) {
  int found = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *each; (each = readdir(tasks)) != NULL;) {
    char path[300], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/comm", each->d_name);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
      found |= fgets(name, sizeof name, file) != NULL &&
               strcmp(name, "loopscope-gpu\n") == 0;
      fclose(file);
    }
  }
  closedir(tasks);
  return found;
}

int main(int count, char **arguments) {
  void *library = NULL;
  for (int i = 0; i < 3; ++i) {
    PHASE(1, "before");
    library = dlopen(arguments[1], RTLD_NOW);
  }
  if (library == NULL) {
    puts(dlerror());
    return 1;
  }
  void (*work)(void) = (void (*)(void))dlsym(library, "work");
  if (count == 2) {
    PHASE(2, "plugin");
    work();
    return 0;
  }
  while (!collects()) {
    PHASE(1, "before");
    work();
    usleep(1000);
  }
  PHASE(1, "before");
  work();
}
#endif
