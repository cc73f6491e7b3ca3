// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One of four threads has the work; the others spin in libgomp's barrier.
#include "common.h"

#include <omp.h>

APART static void work(long n) { TURNS(n); }
APART static void serial(void) { TURNS(1500000); }

int main(void) {
  for (int i = 0; i < 100 * TIMES; ++i) {
    {
      PHASE(1, "parallel");
#pragma omp parallel num_threads(4)
      work(omp_get_thread_num() == 0 ? 2000000 : 100000);
    }
    PHASE(2, "serial");
    serial();
  }
}
