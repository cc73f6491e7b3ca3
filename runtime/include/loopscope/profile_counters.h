/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The counters of a profile's header. Apart from profile_format.h, so that a
 * new one makes only those compile again that count or report it. */

#ifndef LOOPSCOPE_PROFILE_COUNTERS_H
#define LOOPSCOPE_PROFILE_COUNTERS_H

/* What was lost or repaired: an index in loopscope_profile_header::counters,
 * below LOOPSCOPE_COUNT_MAX. */
#ifdef __cplusplus
enum loopscope_counter : unsigned {
#else
enum loopscope_counter {
#endif
  LOOPSCOPE_COUNT_NODES_LOST =
      0, /* spans not recorded: out of memory, or too many nodes */
  LOOPSCOPE_COUNT_DEPTH_FOLDED = 1, /* spans deeper than the depth limit; their
                                       time stays in the ancestor's self time */
  LOOPSCOPE_COUNT_CLOCK_CLAMPED =
      2, /* spans whose end was read before their start */
  LOOPSCOPE_COUNT_POPPED =
      3, /* spans that something else than their own end has ended, see
            loopscope_profile_node::popped */
  LOOPSCOPE_COUNT_STRAY_END = 4,       /* ends without an open span */
  LOOPSCOPE_COUNT_REENTRANT = 5,       /* hooks that met a busy runtime (signal
                                          handlers), not recorded */
  LOOPSCOPE_COUNT_BAD_SAMPLES = 6,     /* negative sample counts, taken as 0 */
  LOOPSCOPE_COUNT_EVENTS_DROPPED = 7,  /* timeline events overwritten */
  LOOPSCOPE_COUNT_THREADS_LOST = 8,    /* threads not recorded */
  LOOPSCOPE_COUNT_STEPS_EXCLUDED = 9,  /* steps outside the window, or in which
                                          recording was paused at their end;
                                          their time is uncounted_ticks of a
                                          STEP, DRAW and BATCH of their own,
                                          except that of steps that a pause cut
                                          off */
  LOOPSCOPE_COUNT_GPU_DROPPED = 10,    /* records that CUPTI says it dropped */
  LOOPSCOPE_COUNT_GPU_NO_TIME = 11,    /* device work without a time stamp;
                                          counted in calls, not in time */
  LOOPSCOPE_COUNT_GPU_UNRESOLVED = 12, /* device work whose launch is unknown;
                                          charged to no node */
  LOOPSCOPE_COUNT_GPU_BUFFERS_REFUSED = 13, /* buffers denied to CUPTI at the
 memory limit */
  LOOPSCOPE_COUNT_GPU_OUTSIDE = 14, /* device work with times outside the run or
                                       an end before its start; left out */
  LOOPSCOPE_COUNT_GPU_LATE = 15,    /* device work that arrived too late: unions
    have only its later part, idle time none of
    it */
  LOOPSCOPE_COUNT_GPU_EVENTS_DROPPED = 16, /* GPU timeline events overwritten */
  LOOPSCOPE_COUNT_GPU_LOST = 17, /* device work not recorded: out of memory */
  LOOPSCOPE_COUNT_GPU_FOREIGN = 18, /* launches by threads without an open span,
                                       charged to a stand-in's phase */
  LOOPSCOPE_COUNT_NVTX_LEFT_OUT = 19, /* NVTX start/end ranges that found no
 room */
  LOOPSCOPE_COUNT_NVTX_UNNAMED = 20, /* NVTX ranges beyond the limit of distinct
                                        names, recorded as "(other ranges)" */
  LOOPSCOPE_COUNT_GPU_MEMORY_LATE = 21, /* allocations and frees that arrived
                                           too late or without a time: memory
                                           peaks may be off by them */
  LOOPSCOPE_COUNT_GPU_UNSETTLED = 22,  /* device work not yet in any union, idle
  time or wait, because earlier launches may
  still arrive */
  LOOPSCOPE_COUNT_GPU_UNREADABLE = 23, /* buffers with a record that CUPTI can't
 read; it and all after it are lost */
  LOOPSCOPE_COUNT_GPU_UNNAMED = 24, /* kernels whose module was unloaded, with
                                       its names, before their record arrived */
  LOOPSCOPE_COUNT_GPU_BUFFERS_UNREAD =
      25,                    /* buffers that came back after
                                collection had stopped; not read */
  LOOPSCOPE_COUNT_TORN = 26, /* spans that a jump out of a signal handler left
                                while they were being recorded; only partly in
                                the statistics */
  LOOPSCOPE_COUNT_LATE_END = 27,    /* ends without an open span, of nodes with
                                       popped spans; not in STRAY_END */
  LOOPSCOPE_COUNT_OTHER_THREAD = 28 /* ends of spans that another thread has
                                       open; not in STRAY_END */
};

#endif /* LOOPSCOPE_PROFILE_COUNTERS_H */
