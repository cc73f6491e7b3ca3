// Allocations are charged to the phase that made them; a phase's peak is the
// most that the program held when the phase allocated. Both versions of CUPTI.
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
// RUN: %replayed12 %s && %gpu_records %t.loopscope | FileCheck %s
// CHECK: state on {{.*}} launches 0 records 0 ended
// CHECK: counters{{ *$}}
// CHECK-DAG: held 0 now 1000 peak 8000 by main/activations
// CHECK-DAG: memory main/weights device device 0 allocations 2 bytes 3000 frees 0 freed 0 peak 3000 of_gpu_peak 3000{{$}}
// CHECK-DAG: memory main/activations device device 0 allocations 10 bytes 50000 frees 10 freed 50000 peak 8000 of_gpu_peak 5000{{$}}
// CHECK-DAG: memory main/activations managed device 0 allocations 1 bytes 64 frees 1 freed 64 peak 64{{$}}
// CHECK-DAG: memory main/staging pinned device - allocations 1 bytes 512 frees 1 freed 512 peak 512{{$}}
// CHECK-DAG: memory main/end device device 0 allocations 0 bytes 0 frees 1 freed 2000 peak 0 of_gpu_peak 0{{$}}
// RUN: loopscope report %t.loopscope --view kernels --by phase --format csv | FileCheck %s --check-prefix=TABLE
// TABLE: {{^}}table,name,phase,calls,total_s,mean_s,max_s,min_s,tensor_cores,device,memory,allocations,allocated_bytes,frees,freed_bytes,peak_bytes,held_at_peak_bytes
// TABLE-NEXT: "memory",,"activations",,,,,,,"GPU 0","device",10,50000,10,50000,8000,5000{{$}}
// TABLE-NEXT: "memory",,"weights",,,,,,,"GPU 0","device",2,3000,0,0,3000,3000{{$}}
// TABLE-NEXT: "memory",,"staging",,,,,,,"host","pinned host",1,512,1,512,512,{{$}}
// TABLE-NEXT: "memory",,"activations",,,,,,,"GPU 0","managed",1,64,1,64,64,{{$}}
// TABLE-NEXT: "memory",,"end",,,,,,,"GPU 0","device",0,0,1,2000,,{{$}}
//
// Records in reverse order give the same peaks.
// RUN: printf '%%s\n' 'order reverse' >%t.scenario
// RUN: %replayed %s && %gpu_records %t.loopscope | FileCheck %s
#include "gpu.h"

int main(void) {
  void *weights, *bias, *buffer;
  {
    PHASE(1, "weights");
    cudaMalloc(&bias, 1000);
    cudaMalloc(&weights, 2000);
  }
  for (int i = 0; i < 10; ++i) {
    PHASE(2, "activations");
    cudaMallocAsync(&buffer, 5000, NULL);
    cudaFreeAsync(buffer, NULL);
    if (i == 0) {
      cudaMallocManaged(&buffer, 64, 1);
      cudaFree(buffer);
    }
  }
  {
    PHASE(3, "staging");
    cudaHostAlloc(&buffer, 512, 0);
    cudaFreeHost(buffer);
  }
  PHASE(4, "end");
  cudaFree(weights);
}
