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

#include <time.h>

#ifdef PLAIN
#define TRAIN
#define STEP
#else
#define TRAIN __LOOPSCOPE_SPAN(10, TRAIN, "train", 10, "main")
#define STEP __LOOPSCOPE_STEP(11, 10)
#endif

static void spin(double ms) {
  struct timespec now;
  double end = 0;
  for (;;) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    double at = (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
    end = end == 0 ? at + ms : end;
    if (at >= end)
      return;
  }
}

int main(void) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  TRAIN;
  for (int step = 0; step < 120; ++step) {
    STEP;
    PHASE(1, "forward");
    launch("layer", stream);
    spin(2);
    cudaStreamSynchronize(stream);
  }
}
