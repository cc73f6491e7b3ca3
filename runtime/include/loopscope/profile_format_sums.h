/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counters and sums per node that a part of the runtime keeps under a name of
 * its own, so that a new one needs no field of the header or of a node. Part of
 * profile_format.h, which says what holds for all records and includes this
 * header.
 *
 * A reader takes the keys that it knows and leaves out the others. Keys are
 * lower-case words joined by dots, "part.what".
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_SUMS_H
#define LOOPSCOPE_PROFILE_FORMAT_SUMS_H

#include <loopscope/profile_format.h>

/* What a sum is of. */
enum loopscope_sum_unit {
  LOOPSCOPE_SUM_NUMBER = 1,
  LOOPSCOPE_SUM_TICKS = 2, /* of the profile's clock */
  LOOPSCOPE_SUM_NS = 3,
  LOOPSCOPE_SUM_BYTES = 4,
  LOOPSCOPE_SUM_REAL = 5 /* `sum` holds the bits of an IEEE 754 double */
};

/* What was lost or repaired, beside the header's counters. Any thread adds to
 * it; 0 in a clean run. */
struct loopscope_counter_value {
  struct loopscope_profile_string key;
  uint64_t value;
  uint64_t reserved;
};

/* The sum of one key at one node, of what belongs to the node itself and not to
 * its children, where the key doesn't say otherwise. A node without an entry
 * has nothing of it. Written by one thread at a time, between an odd and an
 * even `sequence`. */
struct loopscope_node_sum {
  struct loopscope_profile_string key;
  uint32_t node;
  uint32_t sequence;
  uint32_t unit; /* enum loopscope_sum_unit */
  uint32_t reserved32;
  uint64_t count; /* what was added */
  uint64_t sum;
};

/* Keys that begin with this, in ticks: what a part of the runtime took of the
 * node's self time, as "cost.gpu". Not in hook_inside_ticks1024 and its
 * neighbour. */
#define LOOPSCOPE_SUM_COST "cost."

/* What the kernel says of a node's thread during its measured spans, children
 * included. WALL is how long these were, and its count how many; TIME has the
 * same count, unless it was being written. The others have an entry where
 * something was added. STARVED is of the spans of STARVED_WALL alone. */
#define LOOPSCOPE_SUM_CPU_WALL "cpu.wall"
#define LOOPSCOPE_SUM_CPU_TIME "cpu.time"
#define LOOPSCOPE_SUM_CPU_MINOR_FAULTS "cpu.minor_faults"
#define LOOPSCOPE_SUM_CPU_MAJOR_FAULTS "cpu.major_faults"
#define LOOPSCOPE_SUM_CPU_VOLUNTARY "cpu.voluntary_switches"
#define LOOPSCOPE_SUM_CPU_INVOLUNTARY "cpu.involuntary_switches"
#define LOOPSCOPE_SUM_CPU_STARVED_WALL "cpu.starved_wall"
#define LOOPSCOPE_SUM_CPU_STARVED "cpu.starved" /* on the run queue */

/* Counters: what the kernel refused at least once, or hasn't got: the thread's
 * clock, without which nothing is measured; its faults and switches; its time
 * on the run queue. */
#define LOOPSCOPE_COUNT_NO_CPU_CLOCK "cpu.no_clock"
#define LOOPSCOPE_COUNT_NO_CPU_FAULTS "cpu.no_faults"
#define LOOPSCOPE_COUNT_NO_RUN_QUEUE "cpu.no_run_queue"

/* Counters: operators of LibTorch that may end on another thread, which are no
 * spans, and those beyond the limit of distinct names. */
#define LOOPSCOPE_COUNT_OPERATORS_LEFT_OUT "torch.left_out"
#define LOOPSCOPE_COUNT_OPERATORS_UNNAMED "torch.unnamed"

/* The floating-point operations that the program says of a phase's spans or of
 * steps: of those that were said so far, and of the last one alone. A span says
 * so when it begins: where one is open and `count` is more than the node's
 * finished spans, the last one is its. Counters: what it says that is no number
 * of operations; and what one device, or the process, can do in a second, as
 * the user says. */
#define LOOPSCOPE_SUM_WORK_FLOPS "work.flops"
#define LOOPSCOPE_SUM_WORK_LAST "work.last_flops"
#define LOOPSCOPE_COUNT_WORK_BAD "work.bad"
#define LOOPSCOPE_COUNT_WORK_PEAK "work.peak"

/* Of a function whose hooks were switched off while the program ran, as they
 * cost more than they told: the ticks from the run's start until then. A thread
 * has an entry for a function's nodes that it had by then. The counter is how
 * many functions that was. */
#define LOOPSCOPE_SUM_FUNCTIONS_OFF "functions.off_since"
#define LOOPSCOPE_COUNT_FUNCTIONS_OFF "functions.off"

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_counter_value) == 32)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_node_sum) == 48)

#endif /* LOOPSCOPE_PROFILE_FORMAT_SUMS_H */
