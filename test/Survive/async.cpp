// Phases in std::async tasks are counted on whichever thread runs a task.
// RUN: %survive_cxx
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}task,500{{$}}
#include "survive.h"
#include <cstdio>
#include <future>
#include <vector>

int main() {
  int Sum = 0;
  for (int Batch = 0; Batch < 50; ++Batch) {
    std::vector<std::future<int>> Results;
    for (int I = 0; I < 10; ++I)
      Results.push_back(std::async(std::launch::async, [I] {
        PHASE(1, "task");
        return I;
      }));
    for (std::future<int> &R : Results)
      Sum += R.get();
  }
  std::printf("%d\n", Sum);
}
