// nvtx=on: each span is a range in the tool, on its own thread; ranges nest like the
// spans, however a span ends. Also with a timeline.
// RUN: %build_tool %t.so && %build_cxx
// RUN: rm -f %t.log %t.*loopscope && env NVTX_LOG=%t.log NVTX_INJECTION64_PATH=%t.so LOOPSCOPE=nvtx=on,report=none,window=0:0:2:1,warmup=1,output=%t.loopscope %t
// RUN: FileCheck %s --strict-whitespace --match-full-lines --input-file=%t.log
// RUN: %calls | FileCheck %s --check-prefix=CALLS
// RUN: rm -f %t.log2 && env NVTX_LOG=%t.log2 NVTX_INJECTION64_PATH=%t.so LOOPSCOPE=nvtx=on,trace,report=none,window=0:0:2:1,warmup=1,output=%t.trace.loopscope %t
// RUN: diff %t.log %t.log2
// RUN: loopscope export --to chrome %t.trace.loopscope -o %t.json && grep -q inner %t.json
//      CHECK:1: domain Loopscope
// CHECK-NEXT:1: push loop
// CHECK-NEXT:1:   push step
// CHECK-NEXT:1:     push draw
// CHECK-NEXT:1:     pop{{ }}
// CHECK-NEXT:1:     push batch
// CHECK-NEXT:1:       push inner
// CHECK-NEXT:1:       pop{{ }}
// CHECK-NEXT:1:       push inner
// CHECK-NEXT:1:         push draw
// CHECK-NEXT:1:         pop{{ }}
// CHECK-NEXT:1:       pop{{ }}
// CHECK-NEXT:1:     pop{{ }}
// CHECK-NEXT:1:   pop{{ }}
// CHECK-NEXT:1:   push step
// CHECK-NEXT:1:     push draw
// CHECK-NEXT:1:     pop{{ }}
// CHECK-NEXT:1:     push batch
// CHECK-NEXT:1:       push inner
// CHECK-NEXT:1:       pop{{ }}
// CHECK-NEXT:1:       push inner
// CHECK-NEXT:1:         push draw
// CHECK-NEXT:1:         pop{{ }}
// CHECK-NEXT:1:       pop{{ }}
// CHECK-NEXT:1:     pop{{ }}
// CHECK-NEXT:1:   pop{{ }}
// CHECK-NEXT:1: pop{{ }}
// CHECK-NEXT:1: push outer
// CHECK-NEXT:1:   push jumped
// CHECK-NEXT:1:   pop{{ }}
// CHECK-NEXT:1: pop{{ }}
// CHECK-NEXT:2: push worker
// CHECK-NEXT:2: pop{{ }}
//  CHECK-NOT:{{.}}
// CALLS-DAG: {{^}}inner,4{{$}}
// CALLS-DAG: {{^}}worker,1{{$}}
#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>

#include <thread>

static const loopscope_site Outer =
    LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "outer", 1, "main");
static const loopscope_site Jumped =
    LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "jumped", 1, "main");

int main() {
  {
    __LOOPSCOPE_SPAN(1, TRAIN, "loop", 1, "main");
    // The third step is outside the window.
    for (int i = 0; i < 3; ++i) {
      __LOOPSCOPE_STEP(2, 1);
      { __LOOPSCOPE_SPAN(3, PHASE, "inner", 1, "main"); }
      __LOOPSCOPE_SPAN(4, PHASE, "inner", 1, "main");
      __LOOPSCOPE_SPAN(5, DRAW, "fetch", 1, "main");
    }
  }
  loopscope_token Token = loopscope_enter(&Outer);
  loopscope_enter(&Jumped);
  loopscope_leave(Token); // ends both
  std::thread([] { __LOOPSCOPE_SPAN(6, PHASE, "worker", 1, "main"); }).join();
}
