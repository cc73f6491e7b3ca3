/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Named counters and per-node sums, so that a new one needs no new field in the
 * header or in a node. Part of profile_format.h, which has the rules for all
 * records and includes this header.
 *
 * A reader uses the keys that it knows and ignores the others. Keys are
 * lower-case words joined by dots, "part.what".
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_SUMS_H
#define LOOPSCOPE_PROFILE_FORMAT_SUMS_H

#include <loopscope/profile_format.h>

/* The unit of a sum. */
enum loopscope_sum_unit {
  LOOPSCOPE_SUM_NUMBER = 1,
  LOOPSCOPE_SUM_TICKS = 2, /* ticks of the profile's clock */
  LOOPSCOPE_SUM_NS = 3,
  LOOPSCOPE_SUM_BYTES = 4,
  LOOPSCOPE_SUM_REAL = 5 /* `sum` holds the bits of an IEEE 754 double */
};

/* One number of the whole run under a name: what was lost or repaired, in
 * addition to the header's counters (named_losses.h), the number of a word of
 * LOOPSCOPE (run_settings.h), or another. Any thread adds to it. */
struct loopscope_counter_value {
  struct loopscope_profile_string key;
  uint64_t value;
  uint64_t reserved;
};

/* The sum of one key at one node, for the node itself without its children
 * unless the key says otherwise. No entry means 0. Written by one thread at a
 * time, between an odd and an even `sequence`. */
struct loopscope_node_sum {
  struct loopscope_profile_string key;
  uint32_t node;
  uint32_t sequence;
  uint32_t unit; /* enum loopscope_sum_unit */
  uint32_t reserved32;
  uint64_t count; /* number of values added */
  uint64_t sum;
};

/* Prefix of keys in ticks: what a part of the runtime cost the node's self
 * time, for example "cost.gpu". Not included in hook_inside_ticks1024 and its
 * neighbour. */
#define LOOPSCOPE_SUM_COST "cost."

/* What the kernel reports about a node's thread during its measured spans,
 * children included. WALL is the spans' total duration and their number. TIME
 * has the same count, unless a writer is in between. The other keys have an
 * entry if something was added. STARVED covers only the spans in STARVED_WALL.
 */
#define LOOPSCOPE_SUM_CPU_WALL "cpu.wall"
#define LOOPSCOPE_SUM_CPU_TIME "cpu.time"
#define LOOPSCOPE_SUM_CPU_MINOR_FAULTS "cpu.minor_faults"
#define LOOPSCOPE_SUM_CPU_MAJOR_FAULTS "cpu.major_faults"
#define LOOPSCOPE_SUM_CPU_VOLUNTARY "cpu.voluntary_switches"
#define LOOPSCOPE_SUM_CPU_INVOLUNTARY "cpu.involuntary_switches"
#define LOOPSCOPE_SUM_CPU_STARVED_WALL "cpu.starved_wall"
#define LOOPSCOPE_SUM_CPU_STARVED "cpu.starved" /* waiting on the run queue */
/* Processor time of the process's other threads in STARVED's spans. */
#define LOOPSCOPE_SUM_CPU_OTHERS "cpu.others"

/* Ticks in which other threads ran during measures in the node's self time: a
 * part of its "cost.cpu". */
#define LOOPSCOPE_SUM_CPU_INTERRUPTED "cpu.interrupted"

/* The sums of amounts.h are "amount.NAME", what the program gives for a phase's
 * spans or for steps, and "amount.last.NAME", that of the last span alone. A
 * span gives its number when it begins, so if one is open and `count` exceeds
 * the node's finished spans, the last one is the open span's. */

/* For a function whose hooks were switched off during the run because they cost
 * too much: the ticks from the run's start to that moment. A thread has an
 * entry for each node of the function that existed then. */
#define LOOPSCOPE_SUM_FUNCTIONS_OFF "functions.off_since"

/* Of a loop, in the steps with which its executions began: their duration, and
 * of that their draw. Without steps of the warm-up and outside the window. The
 * number of both is that of the steps. */
#define LOOPSCOPE_SUM_FIRST_STEPS "loop.first_steps"
#define LOOPSCOPE_SUM_FIRST_DRAWS "loop.first_draws"

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_counter_value) == 32)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_node_sum) == 48)

#endif /* LOOPSCOPE_PROFILE_FORMAT_SUMS_H */
