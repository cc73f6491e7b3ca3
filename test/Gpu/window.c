// Kernels of steps outside the window count in totals, and in no figure of the steps inside.
// RUN: printf '%%s\n' 'kernel layer 600us' >%t.scenario
// RUN: env SURVIVE_OPTIONS=window=80:0:40:1 %replayed %s
// RUN: loopscope report --view tree --format csv --columns name,calls,kernels %t.loopscope | FileCheck %s
// CHECK-DAG: {{^}}"main","step",40,120{{$}}
// CHECK-DAG: {{^}}"main","forward",40,40{{$}}
// RUN: loopscope report --view overview --format json %t.loopscope | %python -c "import json, sys; facts = json.load(sys.stdin)['sections'][0]['run']; print(facts['verdict'])" | FileCheck %s --check-prefix=VERDICT
// A step takes two milliseconds or more.
// VERDICT: {{ }}Kernels run for {{([0-9]|[12][0-9]|30)\.[0-9]}}%.
#include "gpu.h"

int main(void) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  TRAIN;
  for (int step = 0; step < 120; ++step) {
    STEP;
    PHASE(1, "forward");
    launch("layer", stream);
    spin(CLOCK_MONOTONIC, 2);
    cudaStreamSynchronize(stream);
  }
}
