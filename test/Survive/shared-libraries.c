// Instrumented libraries in an instrumented program share one runtime: one
// profile, and the libraries' phases nest in the program's.
// RUN: %survive_plugins one two
// RUN: %survive_c -DBASE='"%t-"'
// RUN: %calls | FileCheck %s
// RUN: loopscope report --view tree --format csv %t.loopscope | FileCheck %s --check-prefix=TREE
// RUN: ls %t*.loopscope | count 1
// CHECK-DAG: {{^}}host,10{{$}}
// CHECK-DAG: {{^}}one,10{{$}}
// CHECK-DAG: {{^}}two,20{{$}}
// TREE: "main","host",{{[^,]*,[^,]*}},10,{{[^,]*,[^,]*}},0,"phase",
// TREE: "main","one",{{[^,]*,[^,]*}},10,{{[^,]*,[^,]*}},1,"phase",
#include "survive.h"
#include <dlfcn.h>
#include <stdio.h>

#ifdef PLAIN
#define PATH(NAME) BASE NAME ".plain.so"
#else
#define PATH(NAME) BASE NAME ".hooked.so"
#endif

int main(void) {
  int sum = 0;
  int (*one)(void) = dlsym(dlopen(PATH("one"), RTLD_NOW), "work_one");
  int (*two)(void) = dlsym(dlopen(PATH("two"), RTLD_NOW), "work_two");
  for (int i = 0; i < 10; ++i) {
    PHASE(1, "host");
    sum += one() + two() + two();
  }
  printf("%d\n", sum);
}
