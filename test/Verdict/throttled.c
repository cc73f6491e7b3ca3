// A control group's limit takes the processor away.
// REQUIRES: quota
// RUN: %truth %s devices=20
// TRUTH: throttled: forward: off the CPU, and the control group's CPU limit held the process back for
// QUOTA: 5
#include "truth.h"

int main(void) {
  LOOP();
  for (int I = 0; I < 12; ++I) {
    STEP();
    {
      PHASE(3, forward); // HERE
      compute(15);
    }
    PHASE(4, save);
    nap(1);
  }
  return finish();
}
