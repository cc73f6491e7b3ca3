/* The work of known-loop.h in steps of different lengths, so that samples at equal distances aren't in step with them:
   a step that takes 1.5 ms of a thread's CPU time, sampled every ms, would have wrong shares. */
static __thread long length = 100; /* of the thread's step, in hundredths of the mean */
#define LENGTH length
#include "known-loop.h"

static inline __attribute__((always_inline)) void beginStep(long step) {
  length = 50 + step * 37 % 101;
}
