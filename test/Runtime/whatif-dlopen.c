// A phase of a library that is loaded while the loop runs, and unloaded before it ends,
// is tried like the program's own, and its results stay.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %gcc -O1 -Wall -Werror %runtime_include %s -o program %runtime_lib -ldl
// RUN: %gcc -O1 -shared -fPIC -DLIBRARY %runtime_include %s -o library.so %runtime_lib
// RUN: env LOOPSCOPE=off ./program > plain
// RUN: env LOOPSCOPE=whatif,whatif-percent=50,report=none,output=p.loopscope ./program > tried 2> errors
// RUN: cmp plain tried && FileCheck %s --check-prefix=QUIET --allow-empty --input-file errors
// QUIET-NOT: {{.}}
// RUN: loopscope report --view whatif --format csv p.loopscope | FileCheck %s
// CHECK-DAG: "train/library","library",
// CHECK-DAG: "train/own","own",
// RUN: loopscope watch p.loopscope | FileCheck %s --check-prefix=WATCH
// WATCH: {{(^| )}}300 steps {{.*}} ended{{ *$}}
#include <loopscope/hooks.h>
#include <unistd.h>

#ifdef LIBRARY
int work(int step);
int work(int step) {
  __LOOPSCOPE_SPAN(1, PHASE, "library", 1, "work");
  usleep(2000);
  return step * 3;
}
#else
#include <dlfcn.h>
#include <stdio.h>

int main(void) {
  void *library = NULL;
  int (*work)(int) = NULL;
  int sum = 0;
  __LOOPSCOPE_SPAN(10, TRAIN, "train", 10, "main");
  for (int step = 0; step < 300; ++step) {
    __LOOPSCOPE_STEP(11, 10);
    if (step == 20) {
      library = dlopen("./library.so", RTLD_NOW | RTLD_LOCAL);
      if (library == NULL)
        return 1;
      *(void **)&work = dlsym(library, "work");
    }
    if (step == 250) {
      work = NULL;
      dlclose(library);
    }
    if (work)
      sum += work(step);
    __LOOPSCOPE_SPAN(12, PHASE, "own", 12, "main");
    usleep(2000);
  }
  printf("%d\n", sum);
}
#endif
