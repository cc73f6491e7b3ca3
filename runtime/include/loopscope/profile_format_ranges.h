/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ranges that need not nest and may end on a different thread than they began,
 * such as NVTX's start/end ranges. They aren't spans, and no node's time
 * includes them. Part of profile_format.h, which has the rules for all records
 * and includes this header.
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_RANGES_H
#define LOOPSCOPE_PROFILE_FORMAT_RANGES_H

#include <loopscope/profile_format.h>

/* All ranges of one name. Written by one thread at a time, between an odd and
 * an even `sequence`. The total duration of the open ranges at a moment is open
 * * moment - open_start_ticks, with the moment in ticks since the run's start.
 */
struct loopscope_range {
  struct loopscope_profile_string name; /* prefixed with the domain's name */
  uint32_t sequence;
  uint32_t open;  /* ranges that haven't ended */
  uint64_t count; /* ranges that have ended; the next three describe them */
  uint64_t sum_ticks;
  uint64_t min_ticks; /* all ones if count is 0 */
  uint64_t max_ticks;
  uint64_t open_start_ticks; /* sum over the open ones of their start, in ticks
                                since the run's start */
  uint64_t ended_again;      /* ends of ranges that had ended before; entries of
                                64 bytes lack it */
  uint64_t reserved;
};

/* One range on the timeline (trace mode): all RANGE_EVENTS chunks together are
 * the slots of one ring. */
struct loopscope_range_event {
  uint64_t sequence;    /* order in which they were written, from 1; 0: unused,
                           or being written */
  uint64_t begin_ticks; /* since the run's start */
  uint64_t end_ticks;   /* likewise; 0: it hasn't ended */
  uint32_t range;       /* index in RANGES */
  uint32_t reserved;
};

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_range) == 80)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_range_event) == 32)

#endif /* LOOPSCOPE_PROFILE_FORMAT_RANGES_H */
