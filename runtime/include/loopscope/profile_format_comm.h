/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Collectives: communication in which every rank takes part. Part of
 * profile_format.h, which has the rules for all records and includes this
 * header.
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_COMM_H
#define LOOPSCOPE_PROFILE_FORMAT_COMM_H

#include <loopscope/profile_format.h>

/* Number of phases that a record lists. */
#define LOOPSCOPE_COLLECTIVE_PHASES 6u

/* One instance: a finished span of a COLLECTIVE node. Each use of a ring slot
 * writes it once: first the fields, then `sequence`, which is 0 meanwhile.
 *
 * All ranks run the same program, so instance NUMBER of a site is the same one
 * on every rank.
 *
 * `work_ticks` is the time from the thread's previous collective in the same
 * execution of the outermost loop over batches, or from the start of that
 * execution, to enter_ticks; 0 outside such a loop, or if a collective between
 * them is missing because recording was paused. The phases are those with
 * the most self time during it, longest first; time in functions is added to
 * the phase around them.
 *
 * If `operations` isn't 0, a device ran that many operations of the node in one
 * kernel, whose times are enter_ticks and ticks. `number` is the first
 * operation's, `bytes` their total. `rank` and `ranks` are the process's rank
 * and the size of its communicator, 0 if unknown. Work and step are unset. */
struct loopscope_collective {
  uint64_t sequence; /* 1, 2, ... in order of writing; 0: unused */
  uint64_t number;   /* of its site, counted from 0 in order of their ends */
  uint64_t enter_ticks;
  uint64_t ticks; /* duration */
  uint64_t bytes; /* from the annotation; 0 if it gives none */
  uint64_t work_ticks;
  uint64_t step;        /* of the outermost loop, counted from 0 */
  uint32_t node;        /* of kind COLLECTIVE, or one with `operations` */
  uint32_t phase_count; /* LOOPSCOPE_NONE: the phases are unknown */
  uint32_t phase_node[LOOPSCOPE_COLLECTIVE_PHASES];
  float phase_ticks[LOOPSCOPE_COLLECTIVE_PHASES];
  uint32_t operations;
  uint32_t ranks;
  uint32_t rank;
  uint32_t reserved32;
};

/* The last places of a chunk of OWN_STEPS are for the longest steps. */
#define LOOPSCOPE_LONG_STEPS 8u

/* A step's own time: what it took without waits and collectives. A rank keeps
 * steps by their number: those divisible by a power of two, so that all ranks
 * of a run have steps in common, and the longest. Slots are written again as in
 * the ring of collectives.
 *
 * A record covers the steps since the thread's last look at its phases: `steps`
 * of them, up to number `step`. `ticks` is the duration of that last one alone.
 * The phases are those with the most own time in all of them, longest first.
 *
 * A phase's time lies in segments between waits. `critical_ticks` is the part
 * in segments that a send ended, or a wait that was none; `met_ticks` the part
 * in those that a wait or collective ended, of which the last one is
 * `met_node`: how long ranks usually are in it shows whether that was slack. */
struct loopscope_own_step {
  uint64_t sequence; /* 1, 2, ... in order of writing; 0: unused */
  uint64_t step;     /* of its loop, counted from 0 */
  uint64_t ticks;
  uint64_t own_ticks;
  uint32_t node; /* of kind STEP, in no other step */
  uint32_t steps;
  uint32_t phase_count;
  uint32_t reserved32;
  uint32_t phase_node[LOOPSCOPE_COLLECTIVE_PHASES];
  float phase_ticks[LOOPSCOPE_COLLECTIVE_PHASES];
  float critical_ticks[LOOPSCOPE_COLLECTIVE_PHASES];
  float met_ticks[LOOPSCOPE_COLLECTIVE_PHASES];
  uint32_t met_node[LOOPSCOPE_COLLECTIVE_PHASES]; /* LOOPSCOPE_NONE: none */
};

/* What a node exchanged with one other rank. Entries of a hash table, keyed by
 * node, peer and role, in use once `calls` isn't 0. Any thread adds to the
 * numbers in single stores, `calls` first. */
enum loopscope_peer_role {
  LOOPSCOPE_PEER_TO = 1,   /* sent to the peer */
  LOOPSCOPE_PEER_FROM = 2, /* received from it */
  LOOPSCOPE_PEER_ROOT = 3  /* rooted collectives whose root the peer was */
};

struct loopscope_peer {
  uint32_t node;
  uint32_t peer; /* rank in the world */
  uint32_t role; /* enum loopscope_peer_role; 0: the entry is free */
  uint32_t reserved32;
  uint64_t calls;
  uint64_t bytes;
};

/* Sum, in ticks, at the node that posted nonblocking calls: from the call to
 * the wait or test that saw it complete; its count is the number of completed
 * calls. */
#define LOOPSCOPE_SUM_COMM_REQUESTS "comm.requests"

/* Sum at a COLLECTIVE: its bytes; its count is the number of spans that gave
 * bytes. */
#define LOOPSCOPE_SUM_COMM_BYTES "comm.bytes"

/* The same for operations that the host only enqueues on a device (NCCL's): the
 * node's time isn't their duration. */
#define LOOPSCOPE_SUM_COMM_ENQUEUED "comm.enqueued"

/* Sum, in ticks, at such a node: how long devices ran its operations; its count
 * is the number of operations with a known time. A kernel that runs operations
 * of several nodes counts for none of them. */
#define LOOPSCOPE_SUM_COMM_ON_DEVICE "comm.on_device"

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_collective) == 128)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_own_step) == 168)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_peer) == 32)

#endif /* LOOPSCOPE_PROFILE_FORMAT_COMM_H */
