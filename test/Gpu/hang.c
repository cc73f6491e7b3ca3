// A driver that hangs can't keep the program from ending. (The limit is five
// seconds.)
// RUN: echo 'hang cuptiActivityFlushAll' >%t.scenario
// RUN: timeout 60 %replayed %s
// RUN: FileCheck %s --input-file=%t.err
// RUN: %gpu_records %t.loopscope | FileCheck %s --check-prefix=RECORDS
// RUN: %calls | FileCheck %s --check-prefix=TIMED
// CHECK: loopscope: GPU data is incomplete: the driver didn't give the last records in time
// CHECK-NOT: {{.}}
// RECORDS: state stopped {{.*}} launches 1 records 0 ended
// TIMED: work,1{{$}}
#include "gpu.h"

int main(void) {
  PHASE(1, "work");
  launch("work", NULL);
  cudaDeviceSynchronize();
}
