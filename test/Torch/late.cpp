// LibTorch is noticed if it is loaded late, with private symbols; so are operators in a
// forked child.
// REQUIRES: gcc
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %fake_torch -DFAKE_VERSION=2.13.0 -o libtorch_cpu.so.2
// RUN: %gxx -std=c++17 -O1 -Wall -Werror %runtime_include %s -o work %runtime_lib -ldl
// RUN: env LOOPSCOPE=operators=on,report=none,output=late.loopscope ./work 2> err && FileCheck %s --check-prefix=QUIET --allow-empty --input-file err
// QUIET-NOT: {{.}}
// RUN: %tree late.loopscope | FileCheck %s --match-full-lines
//      CHECK: 1,after,phase,1
// CHECK-NEXT: 2,aten::relu,operator,20
// CHECK-NEXT: 1,before,phase,1
// RUN: %tree late.2.loopscope | FileCheck %s --check-prefix=CHILD --match-full-lines
//      CHILD: 1,child,phase,1
// CHILD-NEXT: 2,aten::child,operator,6
#include <loopscope/hooks.h>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

int main() {
  { __LOOPSCOPE_SPAN(1, PHASE, "before", 1, "main"); }
  void *Library = dlopen("./libtorch_cpu.so.2", RTLD_NOW | RTLD_LOCAL);
  if (Library == nullptr)
    return 1;
  auto *Run = reinterpret_cast<void (*)(const char *, const char *, int)>(
      dlsym(Library, "run_operator"));
  {
    __LOOPSCOPE_SPAN(2, PHASE, "after", 2, "main");
    Run("aten::relu", nullptr, 20);
  }
  if (fork() == 0) {
    __LOOPSCOPE_SPAN(3, PHASE, "child", 3, "main");
    Run("aten::child", nullptr, 6);
    return 0;
  }
  return wait(nullptr) < 0;
}
