/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ranges that need not nest and may end on another thread than they began on,
 * as NVTX's start/end ranges: no spans, in no node's time. Part of
 * profile_format.h, which says what holds for all records and includes this
 * header.
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_RANGES_H
#define LOOPSCOPE_PROFILE_FORMAT_RANGES_H

#include <loopscope/profile_format.h>

/* All ranges of one name. Written by one thread at a time, between an odd and
 * an even `sequence`. How long the open ones have lasted at some moment is
 * open * moment - open_start_ticks, with the moment in ticks since the run's
 * start. */
struct loopscope_range {
  struct loopscope_profile_string name; /* with the domain's before it */
  uint32_t sequence;
  uint32_t open;  /* that have not ended */
  uint64_t count; /* that have ended; the next three are of these */
  uint64_t sum_ticks;
  uint64_t min_ticks; /* of none: all ones */
  uint64_t max_ticks;
  uint64_t open_start_ticks; /* sum over the open ones, since the run's start */
};

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_range) == 64)

#endif /* LOOPSCOPE_PROFILE_FORMAT_RANGES_H */
