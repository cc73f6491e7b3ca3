// Most steps compute, but recording is paused in them; the others wait.
// RUN: %truth %s
// TRUTH: blocked: nap: which takes ([89][0-9]|100)[0-9.]*% of the step time, .* waiting off the CPU
#include "truth.h"

#include <loopscope/loopscope.h>

int main(void) {
  LOOP();
  for (int I = 0; I < 120; ++I) {
    if (I == 20)
      loopscope_pause();
    STEP();
    if (I >= 20) {
      compute(5);
      continue;
    }
    PHASE(3, nap); // HERE
    nap(10);
  }
  loopscope_resume();
  return finish();
}
