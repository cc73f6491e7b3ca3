// A recording plays through the whole path. This one is synthetic, made from
// NVIDIA's structures (see synthetic-recording.test); test/gpu/record.cpp makes
// real ones.
// RUN: rm -f %t.scenario
// RUN: %replayed %s -DRECORDING='"%S/Inputs/synthetic-13.recording"'
// RUN: %gpu_records %t.loopscope | FileCheck %s
// CHECK: state on cupti 130001 launches 4 records 5 {{.*}} overhead 0.000 0.000 2.000 0.000 start yes
// CHECK: counters{{ *$}}
// CHECK-DAG: node main/recorded launches 4 waits 0 calls 0 launch_ms
// CHECK-DAG: work main/recorded kernel _Z5layerPf device 0 count 2 no_time 0 ms 5.000 min 2.000 max 3.000 bytes 0 graph 1 {{.*}} blocks_per_sm 2.00 occupancy 0.25{{$}}
// CHECK-DAG: work main/recorded copy HtoD device 0 count 1 no_time 0 ms 1.000 {{.*}} bytes 4096 graph
// CHECK-DAG: work main/recorded copy PtoP device 0 count 1 no_time 0 ms 1.000 {{.*}} bytes 64 graph
// CHECK-DAG: work main/recorded set {{.*}} count 1 no_time 0 ms 1.000 {{.*}} bytes 512 graph
// CHECK-DAG: device 0 Synthetic GPU cc 9.0 sms 132 {{.*}} busy 8.000 kernels 5.000 copies 3.000 filled
#include "gpu.h"

int main(void) {
  PHASE(1, "recorded");
  playRecording(RECORDING, 0);
}
