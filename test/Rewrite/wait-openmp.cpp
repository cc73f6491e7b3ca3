// A block around an OpenMP directive that waits can be a wait, as --suggest proposes.
// RUN: %compare %s %t --shuffled --only=g++ -fopenmp | %trace
#include "work.h"

int main() {
#pragma omp parallel num_threads(2)
  {
    [[loopscope::wait("barrier")]] {
#pragma omp barrier
    }
  }
  [[loopscope::wait("taskwait")]] {
#pragma omp taskwait
  }
}
// TRACE: barrier()
// TRACE: taskwait()
// TRACE: thread: barrier()
