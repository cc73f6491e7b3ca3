// Work that is launched in a pause is charged to it, in steps and outside, and that of excluded
// steps to the loop's batch.
// RUN: printf '%%s\n' 'kernel layer 100us' 'kernel check 200us' >%t.scenario
// RUN: %replayed %s
// RUN: loopscope report --view tree --format csv --columns name,calls,kernels %t.loopscope | FileCheck %s
// CHECK-DAG: {{^}}"main","step",49,59{{$}}
// CHECK-DAG: {{^}}"main","forward",49,49{{$}}
// CHECK-DAG: {{^}}"main","(paused)",22,22{{$}}
#include "gpu.h"

#ifdef PLAIN
#define PAUSE
#define RESUME
#else
#include <loopscope/loopscope.h>
#define PAUSE loopscope_pause()
#define RESUME loopscope_resume()
#endif

int main(void) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  PAUSE;
  launch("check", stream);
  RESUME;
  TRAIN;
  for (int step = 0; step < 60; ++step) {
    STEP;
    if (step == 30)
      PAUSE;
    if (step == 40)
      RESUME;
    {
      PHASE(1, "forward");
      launch("layer", stream);
    }
    if (step < 20) {
      PAUSE;
      launch("check", stream);
      RESUME;
    }
  }
  cudaStreamSynchronize(stream);
}
