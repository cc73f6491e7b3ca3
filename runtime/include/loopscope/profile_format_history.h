/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The run's history: what happened in each of a limited number of bins, which
 * together cover the run from its start to the last look at it. Part of
 * profile_format.h, which has the rules for all records and includes this
 * header.
 *
 * The background thread looks at the sums of some call paths and adds what they
 * grew by since its last look to the last bin. So the bins of a lane add up to
 * its call paths' times and counts at that look; a reader takes what came later
 * from the call paths themselves. When all bins are used, neighbours are
 * merged, and later bins are twice as long.
 *
 * Where a record is in its chunk means nothing. A record whose end_ticks is 0
 * is unused. While bins are merged, a merged bin stands beside those that it
 * was made of: a bin that begins no earlier and ends no later than another one
 * is part of it.
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_HISTORY_H
#define LOOPSCOPE_PROFILE_FORMAT_HISTORY_H

#include <loopscope/profile_format.h>

#define LOOPSCOPE_HISTORY_BINS 1024u
#define LOOPSCOPE_HISTORY_LANES 29u
#define LOOPSCOPE_HISTORY_LOOPS 4u
#define LOOPSCOPE_HISTORY_BUCKETS 24u

/* X(IDENTIFIER, METRIC, PARTS): metrics of the device sampler whose samples the
 * bins have, as whole numbers: PARTS for each unit of the metric, which are
 * KiB and tenths of a percent. */
#define LOOPSCOPE_HISTORY_GAUGES(X)                                            \
  X(MEMORY, "process_rss", 1.0 / 1024)                                         \
  X(CPU, "process_cpu_percent", 10)                                            \
  X(GPU, "utilization.gpu", 10)                                                \
  X(GPU_MEMORY, "memory.used", 1.0 / 1024)
#define LOOPSCOPE_LIST_GAUGE_(IDENTIFIER, METRIC, PARTS)                       \
  LOOPSCOPE_HISTORY_##IDENTIFIER,
enum loopscope_history_gauge_kind {
  LOOPSCOPE_HISTORY_GAUGES(LOOPSCOPE_LIST_GAUGE_) LOOPSCOPE_HISTORY_GAUGE_COUNT
};
#undef LOOPSCOPE_LIST_GAUGE_

/* loopscope_history_lane::flags */
#define LOOPSCOPE_HISTORY_PARTIAL 1u /* it may lack some of its call paths */
#define LOOPSCOPE_HISTORY_NESTED 2u  /* the loop runs inside another's steps */

/* What a number of a bin is about: all call paths of one key, which
 * history_lanes.h defines. */
struct loopscope_history_lane {
  uint32_t site; /* LOOPSCOPE_NONE: waits inside phases of the loop's steps */
  uint32_t kind; /* enum loopscope_kind */
  uint32_t loop; /* the site of the loop around; LOOPSCOPE_NONE outside loops */
  uint32_t flags;
  uint32_t reserved[2];
};

struct loopscope_history_gauge {
  uint32_t samples;
  uint32_t max;
  uint64_t sum;
};

/* Sums are what a lane grew by between begin and end, so neighbouring bins add
 * up. */
struct loopscope_history_bin {
  uint64_t begin_ticks;
  uint64_t end_ticks;
  uint32_t reserved[2];
  struct loopscope_history_gauge gauge[LOOPSCOPE_HISTORY_GAUGE_COUNT];
  uint64_t ticks[LOOPSCOPE_HISTORY_LANES];
};

/* The steps that ended in a bin, of one loop. */
struct loopscope_history_steps {
  uint64_t begin_ticks;
  uint64_t end_ticks;
  uint64_t samples;
  uint32_t steps;
  uint16_t longest; /* 1 + the bucket (loopscope_histogram) of the longest; 0:
                       none */
  uint8_t lane;     /* of the loop's STEP */
  uint8_t lowest_pair;
  /* Durations, in pairs of buckets of loopscope_histogram, from the pair
   * lowest_pair on. The last one also has everything longer. */
  uint32_t bucket[LOOPSCOPE_HISTORY_BUCKETS];
};

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_history_lane) == 24)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_history_bin) == 320)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_history_steps) == 128)

#endif /* LOOPSCOPE_PROFILE_FORMAT_HISTORY_H */
