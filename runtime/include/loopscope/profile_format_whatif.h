/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Experiments of LOOPSCOPE=whatif: the durations of a loop's steps in blocks of
 * steps in which one phase was lengthened, and in the unchanged blocks between
 * them. Part of profile_format.h, which has the rules for all records and
 * includes this header.
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_WHATIF_H
#define LOOPSCOPE_PROFILE_FORMAT_WHATIF_H

#include <loopscope/profile_format.h>

/* Number of steps of a block whose durations are kept. */
#define LOOPSCOPE_WHATIF_STEPS 24u

enum loopscope_whatif_state {
  LOOPSCOPE_WHATIF_RUNNING = 1, /* stays the last one if the run ends in it */
  LOOPSCOPE_WHATIF_COMPLETE = 2,
  LOOPSCOPE_WHATIF_DROPPED = 3 /* replaced by another loop's steps */
};

/* A block, in order of time: some steps of burn-in, then `steps` measured ones.
 * `state` becomes COMPLETE last; until then the counts still grow. */
struct loopscope_whatif_block {
  uint32_t state; /* enum loopscope_whatif_state */
  uint32_t phase; /* node of the lengthened phase, the first of its site;
                     LOOPSCOPE_NONE: no phase was */
  uint32_t loop;  /* node of the loop whose steps these are */
  uint32_t steps; /* measured so far, at most LOOPSCOPE_WHATIF_STEPS */
  uint64_t injected_ticks; /* by which spans of the phase were lengthened during
                              the measured steps, on all threads */
  uint64_t phase_ticks;    /* duration of these spans without the lengthening */
  uint64_t spans;
  uint64_t threads;     /* threads that ran them: bit (thread index mod 64) */
  uint64_t start_ticks; /* start of the burn-in */
  uint32_t burn_in;     /* steps of the burn-in */
  uint32_t lengthened;  /* how many times during the measured steps: several
                           short spans may be lengthened at once */
  /* Duration of each measured step, including injected time. */
  uint64_t step_ticks[LOOPSCOPE_WHATIF_STEPS];
};

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_whatif_block) == 256)

#endif /* LOOPSCOPE_PROFILE_FORMAT_WHATIF_H */
