/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Collectives: communication in which every rank takes part. Part of
 * profile_format.h, which says what holds for all records and includes this
 * header.
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_COMM_H
#define LOOPSCOPE_PROFILE_FORMAT_COMM_H

#include <loopscope/profile_format.h>

/* Phases that a record names. */
#define LOOPSCOPE_COLLECTIVE_PHASES 6u

/* One instance: a finished span of a node of kind COLLECTIVE. A slot of the
 * ring is written once per use: the fields, then `sequence`, which is 0 while
 * they are being written.
 *
 * Ranks run the same program, so instance NUMBER of a site is the same one in
 * all of them.
 *
 * `work_ticks` is the time from the end of the thread's last collective in the
 * same execution of the outermost loop over batches, or from that execution's
 * beginning, to enter_ticks; 0 outside such a loop. The phases are those with
 * the most self time in it, most first, time in functions added to the phase
 * around them.
 *
 * Where `operations` isn't 0, a device did so many operations of the node in
 * one kernel, whose times are enter_ticks and ticks; the number is the first
 * one's, the bytes are all of them. This is `rank` of the `ranks` of its
 * communicator, 0 where that isn't known. Nothing is said of work and step. */
struct loopscope_collective {
  uint64_t sequence; /* 1, 2, ... in order of writing; 0: unused */
  uint64_t number;   /* of its site, counted from 0 by when they ended */
  uint64_t enter_ticks;
  uint64_t ticks; /* duration */
  uint64_t bytes; /* as the annotation says, 0 where it doesn't */
  uint64_t work_ticks;
  uint64_t step;        /* of the outermost loop: its number, from 0 */
  uint32_t node;        /* of kind COLLECTIVE, or one with `operations` */
  uint32_t phase_count; /* LOOPSCOPE_NONE: they aren't known */
  uint32_t phase_node[LOOPSCOPE_COLLECTIVE_PHASES];
  float phase_ticks[LOOPSCOPE_COLLECTIVE_PHASES];
  uint32_t operations;
  uint32_t ranks;
  uint32_t rank;
  uint32_t reserved32;
};

/* What a node exchanged with one other rank, in a hash table: an entry is found
 * by its node, peer and role, and is in use once `calls` isn't 0. The numbers
 * are added to by any thread, in single stores; `calls` first. */
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

/* Sum, ticks, of the node that posted nonblocking calls: from the call to the
 * moment when a wait or test said that it had ended; and how many have. */
#define LOOPSCOPE_SUM_COMM_REQUESTS "comm.requests"

/* Counters: messages whose peers had no room in the table; requests that
 * weren't followed, as too many were open; whether the program used MPI and no
 * call of it came to a wrapper. */
#define LOOPSCOPE_COUNT_COMM_PEERS_LOST "comm.peers_lost"
#define LOOPSCOPE_COUNT_COMM_REQUESTS_LOST "comm.requests_lost"
#define LOOPSCOPE_COUNT_COMM_MPI_UNSEEN "comm.mpi_unseen"

/* Sum, of a COLLECTIVE: its bytes, and in how many spans they were said. */
#define LOOPSCOPE_SUM_COMM_BYTES "comm.bytes"

/* The same of operations that the host only puts on a device (NCCL's): such a
 * node's time is none of theirs. */
#define LOOPSCOPE_SUM_COMM_ENQUEUED "comm.enqueued"

/* Sum, ticks, of such a node: how long devices were at its operations; and of
 * how many that is known. A kernel that does operations of several nodes counts
 * for none. */
#define LOOPSCOPE_SUM_COMM_ON_DEVICE "comm.on_device"

/* Counters: operations of NCCL that aren't recorded, as there were too many
 * communicators or functions; those without bytes, as the size of their
 * elements isn't known. */
#define LOOPSCOPE_COUNT_NCCL_LOST "nccl.lost"
#define LOOPSCOPE_COUNT_NCCL_UNSIZED "nccl.unsized"

/* Counters: instances that newer ones overwrote; those not recorded because
 * there was no memory or too many sites. */
#define LOOPSCOPE_COUNT_COMM_OVERWRITTEN "comm.overwritten"
#define LOOPSCOPE_COUNT_COMM_LOST "comm.lost"

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_collective) == 128)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_peer) == 32)

#endif /* LOOPSCOPE_PROFILE_FORMAT_COMM_H */
