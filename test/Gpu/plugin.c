// A CUDA library that the program loads and unloads. If it is loaded before
// the first phase, its work is collected; unloading it does no harm.
// RUN: rm -rf %t.d && mkdir %t.d && cp %replay_folder/libreplay-13.so %t.d/libcudart.so.13
// RUN: %gcc -shared -fPIC -DLIBRARY -DPLAIN -I %S/Inputs -I %S/../Survive/Inputs -I %S/../replay %s -o %t.d/plugin.so %t.d/libcudart.so.13
// RUN: %gcc -I %S/Inputs -I %S/../Survive/Inputs -I %S/../replay %runtime_include %s -o %t.d/host %runtime_lib
// RUN: env LOOPSCOPE_CUPTI=%t.d/libcudart.so.13 LOOPSCOPE=report=none,output=%t.d/run.loopscope %t.d/host %t.d/plugin.so 2>&1 | FileCheck %s
// RUN: %gpu_records %t.d/run.loopscope | FileCheck %s --check-prefix=RECORDS
// CHECK-NOT: loopscope
// CHECK: unloaded
// RECORDS: state on {{.*}} launches 5 records 5 ended
// RECORDS-DAG: work main/plugin kernel plugged device 0 count 5 no_time
#include "gpu.h"
#include <dlfcn.h>
#include <stdio.h>

#ifdef LIBRARY
void work(void) {
  for (int i = 0; i < 5; ++i)
    launch("plugged", NULL);
  cudaDeviceSynchronize();
}
#else
int main(int count, char **arguments) {
  void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW) : NULL;
  if (library == NULL) {
    puts(dlerror());
    return 1;
  }
  {
    PHASE(1, "plugin");
    ((void (*)(void))dlsym(library, "work"))();
  }
  dlclose(library);
  puts("unloaded");
}
#endif
