/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A training loop for diff-pairs.py: steps of about 12 ms whose phase `forward`
 * is slower by a given percentage, and a phase too short to be judged.
 *
 * usage: diff-pairs sleep|compute PERCENT STEPS
 */
#include <loopscope/hooks.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int sleeps;

/* Sleeps, or works on the processor, for about this many microseconds. */
static void work(double us) {
  if (sleeps) {
    struct timespec time = {0, (long)(us * 1000)};
    nanosleep(&time, NULL);
    return;
  }
  volatile double sum = 0;
  for (long i = 0; i < (long)(us * 400); ++i)
    sum += (double)i;
}

int main(int count, char **words) {
  if (count != 4)
    return 2;
  sleeps = strcmp(words[1], "sleep") == 0;
  double slower = 1 + atof(words[2]) / 100;
  long steps = atol(words[3]);
  __LOOPSCOPE_SPAN(1, TRAIN, "train", 34, "main");
  for (long i = 0; i < steps; ++i) {
    __LOOPSCOPE_STEP(2, 1);
    {
      __LOOPSCOPE_SPAN(3, PHASE, "forward", 38, "main");
      work(4000 * slower);
    }
    {
      __LOOPSCOPE_SPAN(4, PHASE, "backward", 42, "main");
      work(6000);
    }
    {
      __LOOPSCOPE_SPAN(5, PHASE, "optimizer", 46, "main");
      work(1500);
    }
    __LOOPSCOPE_SPAN(6, PHASE, "log", 49, "main");
    for (volatile int spin = 0; spin < 1000; ++spin)
      ;
  }
}
