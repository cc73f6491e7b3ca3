// What CUPTI 13.0 gave on an H100, through the whole path. test/gpu/record.cpp
// recorded test/gpu/shapes.cu, and graphs.cu and conditional.cu of
// test/gpu/questions.
// RUN: rm -f %t.scenario
// RUN: %replayed %s -DRECORDING='"%S/Inputs/h100-shapes.recording"'
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=SHAPES
// On a busy machine, too.
// RUN: %replayed %s -DRECORDING='"%S/Inputs/h100-shapes.recording"' -DSTALL_MS=40
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=SHAPES
// SHAPES: state on cupti 130001 launches 43 records 138 ended
// SHAPES: counters{{ *$}}
// SHAPES-DAG: work main/recorded kernel _Z4spinx device 0 count 22 no_time 0 ms 60.626{{( .*)?$}}
// SHAPES-DAG: work main/recorded copy HtoD device 0 count 8 no_time 0 ms 9.752 {{.*}} bytes 536870912{{( .*)?$}}
// SHAPES-DAG: work main/recorded copy DtoH device 0 count 8 no_time 0 ms 9.736 {{.*}} bytes 536870912{{( .*)?$}}
// SHAPES-DAG: work main/recorded kernel _Z4spinx device 0 count 100 no_time 0 ms 101.095 {{.*}} graph 100 {{.*}} made_in main/recorded
// SHAPES-DAG: device 0 NVIDIA H100 80GB HBM3 cc 9.0 sms 132 span {{14[4-9]|1[5-9].|[2-9]..|....+}}{{[.][0-9]+}} busy 143.660 kernels 124.172 copies 19.488{{( .*)?$}}
// SHAPES-DAG: memory main/recorded device device 0 allocations 1 bytes 67108864{{( .*)?$}}
// SHAPES-DAG: memory main/recorded pinned device - allocations 1 bytes 67108864{{( .*)?$}}
//
// Nodes whose kernel was changed in place have the names of their records.
// RUN: %replayed %s -DRECORDING='"%S/Inputs/h100-graphs.recording"'
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=GRAPHS
// GRAPHS: launches 30 records 300 ended
// GRAPHS: counters{{ *$}}
// GRAPHS-DAG: kernel _Z5smallv device 0 count 100{{( .*)?$}}
// GRAPHS-DAG: kernel _Z5largev device 0 count 100{{( .*)?$}}
// GRAPHS-DAG: kernel _Z5otherv device 0 count 100{{( .*)?$}}
//
// CUPTI doesn't say which launch the body of a conditional node belongs to. Its
// first record of overhead began before the run.
// RUN: %replayed %s -DRECORDING='"%S/Inputs/h100-conditional.recording"'
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=CONDITIONAL
// CONDITIONAL: launches 4 records 204 ended {{.*}} overhead 0.{{[0-9]+}} 0.{{[0-9]+}} {{[0-9]}}.{{[0-9]+}} 0.{{[0-9]+}} start yes
// CONDITIONAL: counters unresolved=200{{( .*)?$}}
// CONDITIONAL: work - kernel _Z4bodyyPi device 0 count 200 no_time 0{{( .*)?$}}
#include "gpu.h"

#ifndef STALL_MS
#define STALL_MS 0
#endif

int main(void) {
  PHASE(1, "recorded");
  playRecording(RECORDING, STALL_MS);
}
