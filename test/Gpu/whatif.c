// Experiments together with a GPU: phases that launch and
// wait are tried, the GPU's records are those of the plain
// program, and nothing is injected while a stream captures.
// REQUIRES: long
// RUN: printf '%%s\n' 'kernel work 3ms' 'kernel layer 100us' >%t.scenario
// RUN: env SURVIVE_OPTIONS=whatif=prepare,whatif=waits,whatif-percent=50 %replayed %s
// RUN: loopscope report --view whatif --format csv %t.loopscope | cut -d, -f2 | sort | FileCheck %s --match-full-lines
// CHECK: "train/prepare"
// CHECK-NEXT: "train/waits"
// CHECK-NEXT: path
// RUN: loopscope report --view tree --format csv %t.loopscope | FileCheck %s --check-prefix=INJECTED
// INJECTED: "(what-if)"
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=RECORDS
// RECORDS: launches 200 records 200 ended
// RECORDS: counters{{ *$}}
// RECORDS: kernel work device 0 count 199 {{.*}} ms 597.000 {{.*}}
//
// RUN: printf '%%s\n' 'kernel layer 100us' >%t.scenario
// RUN: env SURVIVE_OPTIONS=whatif=forward,whatif-percent=50 %replayed %s -DCAPTURES
// RUN: loopscope report --view tree --format csv %t.loopscope | FileCheck %s --check-prefix=CAPTURED
// CAPTURED: "forward"
// CAPTURED-NOT: (what-if)
// RUN: printf '%%s\n' 'kernel layer 100us' >%t.scenario
// RUN: env SURVIVE_OPTIONS=whatif=finish,whatif-percent=50 %replayed %s -DCAPTURES
// RUN: loopscope report --view tree --format csv %t.loopscope | FileCheck %s --check-prefix=INJECTED
#include "gpu.h"
#include <stdio.h>

int main(void) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  TRAIN;
  for (int step = 0; step < 200; ++step) {
    STEP;
#ifdef CAPTURES
    cudaGraph_t graph;
    cudaGraphExec_t runnable;
    cudaStreamBeginCapture(stream, 0);
    {
      PHASE(1, "forward");
      launch("layer", stream);
      spin(CLOCK_THREAD_CPUTIME_ID, 2);
    }
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&runnable, graph, 0);
    cudaGraphLaunch(runnable, stream);
    PHASE(2, "finish");
    cudaStreamSynchronize(stream);
    spin(CLOCK_THREAD_CPUTIME_ID, 2);
#else
    {
      PHASE(1, "prepare");
      launch("work", stream);
      spin(CLOCK_THREAD_CPUTIME_ID, 1);
    }
    PHASE(2, "waits");
    cudaStreamSynchronize(stream);
#endif
  }
  puts("done");
}
