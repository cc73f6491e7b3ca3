// NVTX headers before 3.2 look for a tool only at NVTX_INJECTION64_PATH:
// libloopscope-nvtx.so passes the ranges on to the program's own runtime.
// RUN: %build_cxx && rm -f %t.*loopscope
// RUN: env NVTX_INJECTION64_PATH=%build_root/lib/libloopscope-nvtx.so LOOPSCOPE=nvtx=read,report=none,output=%t.loopscope %t 2>&1 | FileCheck %s --match-full-lines
// RUN: %calls | FileCheck %s --check-prefix=PHASES
// CHECK:taken 1
// CHECK-NOT:{{.+}}
// PHASES-DAG: {{^}}main,1{{$}}
// PHASES-DAG: {{^}}old,3{{$}}
// PHASES-DAG: {{^}}D:inner,3{{$}}
//
// In a program without the runtime, built as usual, the library is the runtime.
// RUN: %gxx -std=c++17 -DPLAIN -I %S/Inputs -I %source_root/runtime/src %s -o %t.plain -ldl
// RUN: env NVTX_INJECTION64_PATH=%build_root/lib/libloopscope-nvtx.so LOOPSCOPE=nvtx=read,report=none,output=%t.plain.loopscope %t.plain 2>&1 | FileCheck %s --match-full-lines
// RUN: loopscope report --view tree --format csv %t.plain.loopscope | cut -d, -f2,5 | tr -d '"' | FileCheck %s --check-prefix=PLAIN
// PLAIN-DAG: {{^}}old,3{{$}}
// PLAIN-DAG: {{^}}D:inner,3{{$}}
//
// Without the word nothing is recorded, and a line says so.
// RUN: env NVTX_INJECTION64_PATH=%build_root/lib/libloopscope-nvtx.so LOOPSCOPE=report=none,output=%t.off.loopscope %t 2>&1 | FileCheck %s --check-prefix=OFF
// OFF: loopscope: NVTX_INJECTION64_PATH names Loopscope's library, which reads ranges with LOOPSCOPE=nvtx=read only
// OFF-NEXT: taken 0{{$}}
// OFF-NOT: {{.}}
#ifndef PLAIN
#include <loopscope/hooks.h>
#endif

#include "client.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

using namespace client;

// Like headers before 3.2.
static bool attachByVariable() {
  const char *Path = std::getenv("NVTX_INJECTION64_PATH");
  void *Library = dlopen(Path, RTLD_LAZY);
  if (Library == nullptr) {
    std::puts(dlerror());
    return false;
  }
  auto Initialize = reinterpret_cast<nvtx::Initialize>(
      dlsym(Library, "InitializeInjectionNvtx2"));
  return Initialize != nullptr && Initialize(getExportTable) != 0;
}

int main() {
#ifndef PLAIN
  __LOOPSCOPE_SPAN(1, PHASE, "main", 1, "main");
#endif
  bool Taken = attachByVariable();
  std::printf("taken %d\n", Taken);
  if (!Taken)
    return 0;
  void *Domain = domain("D");
  for (int I = 0; I < 3; ++I) {
    push("old");
    push(Domain, "inner");
    pop(Domain);
    pop();
  }
}
