// A block around a pragma and its loop is a phase; inside a region each thread has its own spans.
// RUN: %compare %s %t --shuffled --only=g++ -fopenmp | %trace
#include "work.h"

int main() {
  int sum = 0;
  [[loopscope::phase("reduce")]] {
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (int i = 0; i < 10; ++i)
      sum += i;
  }
#pragma omp parallel num_threads(2)
  {
    [[loopscope::phase("mine")]] work("w");
#pragma omp barrier
  }
#pragma omp parallel for num_threads(1)
  for (int i = 0; i < 2; ++i) {
    [[loopscope::phase("body")]] work("b");
  }
  return sum;
}
// TRACE: body(b)
// TRACE: body(b)
// TRACE: mine(w)
// TRACE: reduce()
// TRACE: thread: mine(w)
// TRACE: exit code 45
