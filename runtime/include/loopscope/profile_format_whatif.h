/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Experiments of LOOPSCOPE=whatif: what the steps of a loop took in blocks of
 * steps in which one phase was lengthened, and in blocks between them in which
 * none was. Part of profile_format.h, which says what holds for all records and
 * includes this header.
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_WHATIF_H
#define LOOPSCOPE_PROFILE_FORMAT_WHATIF_H

#include <loopscope/profile_format.h>

/* Steps of a block whose durations are kept. */
#define LOOPSCOPE_WHATIF_STEPS 24u

enum loopscope_whatif_state {
  LOOPSCOPE_WHATIF_RUNNING = 1, /* the last block of a run that ended in it */
  LOOPSCOPE_WHATIF_COMPLETE = 2,
  LOOPSCOPE_WHATIF_DROPPED = 3 /* another loop's steps became the measure */
};

/* A block, in the order of time: some steps of burn-in, then `steps` measured
 * ones. `state` becomes COMPLETE last; the counts of a block that runs are
 * still growing. */
struct loopscope_whatif_block {
  uint32_t state; /* enum loopscope_whatif_state */
  uint32_t phase; /* node of the lengthened phase, the first of its site;
                     LOOPSCOPE_NONE: no phase was */
  uint32_t loop;  /* node of the loop whose steps these are */
  uint32_t steps; /* measured so far, at most LOOPSCOPE_WHATIF_STEPS */
  uint64_t injected_ticks; /* by which spans of the phase were lengthened during
                              the measured steps, on all threads */
  uint64_t phase_ticks;    /* what these spans took by themselves */
  uint64_t spans;
  uint64_t threads;     /* that ran them: bit (thread index mod 64) */
  uint64_t start_ticks; /* of the burn-in */
  uint32_t burn_in;     /* steps of it */
  uint32_t reserved32;
  /* Duration of each measured step, with what was injected into it. */
  uint64_t step_ticks[LOOPSCOPE_WHATIF_STEPS];
};

/* Counters: phases beyond the number that is tried; blocks that could not be
 * kept, after which there are no more experiments. */
#define LOOPSCOPE_COUNT_WHATIF_UNTRIED "whatif.untried"
#define LOOPSCOPE_COUNT_WHATIF_BLOCKS_LOST "whatif.blocks_lost"

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_whatif_block) == 256)

#endif /* LOOPSCOPE_PROFILE_FORMAT_WHATIF_H */
