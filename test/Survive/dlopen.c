// A library that is loaded, used and unloaded keeps its spans; the next one, perhaps at
// the same address, gets its own.
// RUN: %survive_plugins first other
// RUN: %survive_c -DBASE='"%t-"'
// RUN: %calls | FileCheck %s
// RUN: ls %t*.loopscope | count 1
// CHECK-DAG: {{^}}host,40{{$}}
// CHECK-DAG: {{^}}first,2000{{$}}
// CHECK-DAG: {{^}}other,2000{{$}}
// CHECK-DAG: {{^}}in it,4000{{$}}
// RUN: %keyed | FileCheck %s --check-prefix=KEYS
// KEYS-DAG: {{^}}first[0],660{{$}}
// KEYS-DAG: {{^}}other[1],680{{$}}
// KEYS-DAG: {{^}}in it[even],2000{{$}}
// KEYS-DAG: {{^}}in it[first],1000{{$}}
#include "survive.h"
#include <dlfcn.h>
#include <stdio.h>

#ifdef PLAIN
#define PATH(NAME) BASE NAME ".plain.so"
#else
#define PATH(NAME) BASE NAME ".hooked.so"
#endif

static int use(const char *path, const char *function) {
  PHASE(1, "host");
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  int (*work)(void) = (int (*)(void))dlsym(library, function);
  int sum = 0;
  for (int i = 0; i < 100; ++i)
    sum += work();
  dlclose(library);
  return sum;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 20; ++i)
    sum += use(PATH("first"), "work_first") + use(PATH("other"), "work_other");
  printf("%d\n", sum);
}
