// In a program that has loaded CUDA's driver, the GPUs are those that CUDA
// shows it, in CUDA's numbering, once the program has initialised it.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %build_nvml nvml.so && %build_cuda libcuda.so.1
// RUN: %gcc -O1 -Wall -Werror %runtime_include -I %S/Inputs %s -o program -Wl,--no-as-needed libcuda.so.1 -Wl,-rpath,$PWD %runtime_lib
// RUN: env LOOPSCOPE_NVML=$PWD/nvml.so LOOPSCOPE=gpu=off,devices=10ms,report=none,output=a.loopscope ./program a.loopscope
// RUN: %devices a.loopscope | FileCheck %s
// CHECK: {{^}}"fit","gpu_0","Total",{{[1-9][0-9]*,+}}90,
// CHECK-NOT: gpu_1
#include "work.h"

int main(int argc, char **argv) {
  __LOOPSCOPE_SPAN(1, PHASE, "work", 1, "main");
  return !wait_for_rounds(argv[argc - 1], 8);
}
