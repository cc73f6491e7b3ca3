// nvtx=read accepts everything that NVIDIA's headers emit, in C++ and C: every kind of
// message, registered strings, domains, marks. Nothing changes without it.
// REQUIRES: nvtx
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %gxx -std=c++17 %runtime_include %nvtx_include %s -o cxx %runtime_lib
// RUN: %gcc -std=gnu11 -x c %runtime_include %nvtx_include %s -x none -o c %runtime_lib
// RUN: for p in cxx c; do env LOOPSCOPE=nvtx=read,report=none,output=$p.loopscope ./$p > $p.out || exit 1; env LOOPSCOPE=off ./$p > $p.off || exit 1; done
// RUN: FileCheck %s --check-prefix=OUT --input-file=c.out
// RUN: FileCheck %s --check-prefix=OFF --input-file=cxx.off
// RUN: loopscope report --view tree --format csv cxx.loopscope | cut -d, -f2,5 | tr -d '"' > cxx.tree
// RUN: loopscope report --view tree --format csv c.loopscope | cut -d, -f2,5 | tr -d '"' | diff - cxx.tree
// RUN: grep -v '(profiler)' cxx.tree | FileCheck %s --match-full-lines
// OUT: levels 0 1{{$}}
// OFF: levels -2 -2{{$}}
//      CHECK:main,1
// CHECK-NEXT:plain,2
// CHECK-NEXT:wide ä€,2
// CHECK-NEXT:event,2
// CHECK-NEXT:wide event,2
// CHECK-NEXT:Lib:registered,2
// CHECK-NEXT:(unnamed),2
// CHECK-NEXT:(unaccounted),
// CHECK-NOT:{{.}}
// RUN: env NVTX_INJECTION64_PATH=$PWD/none.so LOOPSCOPE=nvtx=read,report=none,output=x.loopscope ./c 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: loopscope: nvtx=read: NVTX_INJECTION64_PATH names another tool, which gets the program's ranges
#include <loopscope/hooks.h>

#include <nvtx3/nvToolsExt.h>

#include <stdio.h>
#include <string.h>

static nvtxEventAttributes_t event(int Type) {
  nvtxEventAttributes_t Result;
  memset(&Result, 0, sizeof(Result));
  Result.version = NVTX_VERSION;
  Result.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  Result.messageType = Type;
  return Result;
}

int main(void) {
  __LOOPSCOPE_SPAN(1, PHASE, "main", 1, "main");
  nvtxDomainHandle_t Lib = nvtxDomainCreateA("Lib");
  nvtxStringHandle_t Registered = nvtxDomainRegisterStringA(Lib, "registered");
  for (int I = 0; I < 2; ++I) {
    int A = nvtxRangePushA("plain");
    int B = nvtxRangePushW(L"wide \u00e4\u20ac");
    nvtxEventAttributes_t Event = event(NVTX_MESSAGE_TYPE_ASCII);
    Event.message.ascii = "event";
    nvtxRangePushEx(&Event);
    nvtxMarkA("a mark");
    Event = event(NVTX_MESSAGE_TYPE_UNICODE);
    Event.message.unicode = L"wide event";
    nvtxRangePushEx(&Event);
    Event = event(NVTX_MESSAGE_TYPE_REGISTERED);
    Event.message.registered = Registered;
    nvtxDomainRangePushEx(Lib, &Event);
    Event = event(NVTX_MESSAGE_UNKNOWN);
    nvtxRangePushEx(&Event);
    nvtxRangePop();
    nvtxDomainRangePop(Lib);
    nvtxRangePop();
    nvtxRangePop();
    nvtxRangePop();
    nvtxRangePop();
    if (I == 0)
      printf("levels %d %d\n", A, B);
  }
  nvtxDomainDestroy(Lib);
  return 0;
}
