// A program without hooks that loads two instrumented libraries: one runtime serves
// both, with one profile.
// RUN: %survive_plugins red blue
// RUN: %gcc %s -DPLAIN -o %t.host -ldl
// RUN: rm -f %t.loopscope
// RUN: env LOOPSCOPE=report=none,output=%t.loopscope %t.host %t-red.hooked.so %t-blue.hooked.so
// RUN: %calls | FileCheck %s
// RUN: ls %t*.loopscope | count 1
// CHECK-DAG: {{^}}red,10{{$}}
// CHECK-DAG: {{^}}blue,10{{$}}
#include <dlfcn.h>

int main(int argc, char **argv) {
  if (argc != 3)
    return 1;
  int (*red)(void) = dlsym(dlopen(argv[1], RTLD_NOW), "work_red");
  int (*blue)(void) = dlsym(dlopen(argv[2], RTLD_NOW), "work_blue");
  int sum = 0;
  for (int i = 0; i < 10; ++i)
    sum += red() + blue();
  return sum == 20 ? 0 : 1;
}
