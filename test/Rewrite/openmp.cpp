// A block around a pragma and its loop is a phase, and so is a loop after a pragma that stands alone; inside a region each
// thread has its own spans.
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
    [[loopscope::phase("after")]] for (int i = 0; i < 1; ++i)
      work("a");
  }
#pragma omp parallel for num_threads(1)
  for (int i = 0; i < 2; ++i) {
    [[loopscope::phase("body")]] work("b");
  }
  return sum;
}
// TRACE: after(a)
// TRACE: body(b)
// TRACE: body(b)
// TRACE: mine(w)
// TRACE: reduce()
// TRACE: thread: after(a)
// TRACE: thread: mine(w)
// TRACE: exit code 45
