/* The replayed GPU together with each other word: the program's output and exit status are the plain
 * one's, and each phase has exactly the work that it launched, whatever else is recorded.
 * REQUIRES: long
 * RUN: for words in simple advanced trace cpu=on stacks=1000 trace,stacks,cpu=on operators=on operators=top,stacks nvtx=read nvtx=on peak=1T warmup=3 devices=10 whatif functions=all; do \
 * RUN:   printf '%%s\n' 'kernel forward_kernel 2ms' 'kernel backward_kernel 4ms' >%t.scenario; \
 * RUN:   env SURVIVE_OPTIONS=$words %replayed %s >%t-said 2>&1 && test ! -s %t.err || { echo "$words"; cat %t-said %t.err; exit 1; }; \
 * RUN:   %gpu_records %t.loopscope | awk -f %S/Inputs/sum_work.awk | sort >%t-work; \
 * RUN:   grep '^ [*] WORK: ' %s | cut -c10- | diff - %t-work || { echo "$words"; exit 1; }; done
 * WORK: 0 counters
 * WORK: main/train/step/batch/backward backward_kernel 12 48
 * WORK: main/train/step/batch/forward forward_kernel 12 24
 */
#include "gpu.h"
#include <stdio.h>

int main(void) {
  int launched = 0;
  TRAIN;
  for (int i = 0; i < 12; ++i) {
    STEP;
    {
      PHASE(3, "forward");
      launched += launch("forward_kernel", NULL) == 0;
    }
    {
      PHASE(4, "backward");
      launched += launch("backward_kernel", NULL) == 0;
      cudaDeviceSynchronize();
    }
  }
  printf("%d\n", launched);
}
