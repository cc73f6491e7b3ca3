// NCCL is noticed if it is loaded late, with private symbols; a forked child records its
// own operations.
// REQUIRES: gcc
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %fake_nccl -DFAKE_VERSION=4 -o libnccl.so.2
// RUN: %gxx -std=c++17 -O1 -Wall -Werror %runtime_include -I %S/Inputs %s -o work %nccl_exports %runtime_lib
// RUN: env LOOPSCOPE=report=none,output=late.loopscope ./work 2> err && FileCheck %s --check-prefix=QUIET --allow-empty --input-file err
// QUIET-NOT: {{.}}
// RUN: loopscope report --view communication --format csv late.loopscope | FileCheck %s --match-full-lines
//      CHECK: stage,{{.*}}
// CHECK-NEXT: "fit","ncclAllReduce","communicator 0x0000000000000009 of 2",1,20,80000,4000,,,,
//  CHECK-NOT: {{.}}
// RUN: loopscope report --view communication --format csv late.2.loopscope | FileCheck %s --check-prefix=CHILD --match-full-lines
//      CHILD: stage,{{.*}}
// CHILD-NEXT: "fit","ncclAllGather","communicator 0x0000000000000009 of 2",1,6,24,4,,,,
//  CHILD-NOT: {{.}}
#include "fake_nccl.h"

#include <dlfcn.h>
#include <unistd.h>
#include <loopscope/hooks.h>
#include <sys/wait.h>

int main() {
  { __LOOPSCOPE_SPAN(1, PHASE, "before", 1, "main"); }
  void *library = dlopen("./libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return 1;
  auto *init = reinterpret_cast<decltype(&fake_comm_init)>(dlsym(library, "fake_comm_init"));
  auto *run = reinterpret_cast<decltype(&fake_operation)>(dlsym(library, "fake_operation"));
  fake_comm *comm = nullptr;
  {
    __LOOPSCOPE_SPAN(2, PHASE, "after", 2, "main");
    comm = init(9, 2, 0, nullptr);
    for (int i = 0; i < 20; ++i)
      run(comm, "AllReduce", 1000, "ncclFloat32", 0);
  }
  if (fork() == 0) {
    __LOOPSCOPE_SPAN(3, PHASE, "child", 3, "main");
    for (int i = 0; i < 6; ++i)
      run(comm, "AllGather", 1, "ncclFloat32", 0);
    return 0;
  }
  return wait(nullptr) < 0;
}
