/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Samples of LOOPSCOPE=stacks: where threads used processor time, and which
 * code was loaded at these addresses. Part of profile_format.h, which has the
 * rules for all records and includes this header.
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_STACKS_H
#define LOOPSCOPE_PROFILE_FORMAT_STACKS_H

#include <loopscope/profile_format.h>

#define LOOPSCOPE_STACK_FRAMES 12u
#define LOOPSCOPE_BUILD_ID_BYTES 32u

enum loopscope_stack_state {
  LOOPSCOPE_STACK_UNUSED = 0,
  LOOPSCOPE_STACK_WRITTEN = 1, /* being filled by a thread */
  LOOPSCOPE_STACK_PUBLISHED = 2
};

enum loopscope_stack_flag {
  LOOPSCOPE_STACK_FOREIGN = 1u << 0, /* the thread had no span of its own: node
                                        stands in for it */
  LOOPSCOPE_STACK_CUT = 1u << 1,     /* too deep: callers are missing */
  LOOPSCOPE_STACK_WHOLE = 1u << 2,   /* up to the function that nobody called */
  LOOPSCOPE_STACK_GUESSED = 1u << 3  /* the interrupted code had no frame table:
                                        frames may be missing */
};

/* In the thread of a sample: the rest is the id of a thread without a tree. */
#define LOOPSCOPE_STACK_THREAD_ID 0x80000000u

enum loopscope_frame_state {
  LOOPSCOPE_FRAME_UNUSED = 0,
  LOOPSCOPE_FRAME_WRITTEN = 1, /* being filled by a thread */
  LOOPSCOPE_FRAME_THREAD = 2,
  LOOPSCOPE_FRAME_PLACE = 3,
  LOOPSCOPE_FRAME_CALL = 4
};

/* A node of the tree of sampled calls: a slot of a hash table, at any position
 * in the chunk. Two slots may hold the same key; add their counts.
 *
 *   THREAD  address: node << 32 | thread, as in loopscope_stack, or a thread's
 *           id with LOOPSCOPE_STACK_THREAD_ID; parent: LOOPSCOPE_NONE
 *   PLACE   address: loading << 32 | flags (enum loopscope_stack_flag);
 *           parent: a THREAD
 *   CALL    address: a return address or, in a slot that counts samples, the
 *           interrupted instruction as well; parent: its caller's CALL, or the
 *           PLACE for the outermost */
struct loopscope_frame {
  uint32_t state;  /* enum loopscope_frame_state */
  uint32_t parent; /* slot, from 0 */
  uint64_t address;
  uint64_t count; /* samples whose innermost frame it is */
};

/* Older profiles have this in place of loopscope_frame: samples
 * with the same node, thread and stack, by frame pointers alone. A slot of a
 * hash table, at any position in the chunk. Two slots may hold the same key;
 * add their counts. */
struct loopscope_stack {
  uint32_t state;   /* enum loopscope_stack_state */
  uint32_t node;    /* innermost; LOOPSCOPE_NONE: no span had been opened yet */
  uint32_t thread;  /* index; LOOPSCOPE_NONE: a thread without a tree */
  uint16_t flags;   /* enum loopscope_stack_flag */
  uint16_t depth;   /* frames, at least 1 */
  uint64_t count;   /* samples */
  uint32_t loading; /* see loopscope_code: what was loaded at the time */
  uint32_t reserved32;
  /* Innermost first: the interrupted instruction, then return addresses. */
  uint64_t frame[LOOPSCOPE_STACK_FRAMES];
};

/* An executable segment of a loaded object, valid for samples with from <=
 * loading < until. `loading` of new samples grows whenever an object is
 * unloaded. */
struct loopscope_code {
  uint64_t start; /* addresses */
  uint64_t end;
  uint64_t bias; /* subtract it from an address to get the address in the
                    object's file */
  struct loopscope_profile_string path; /* from the dynamic loader */
  uint8_t build_id[LOOPSCOPE_BUILD_ID_BYTES];
  uint32_t build_id_size; /* 0: the object has no build ID */
  uint32_t from;
  uint32_t until; /* LOOPSCOPE_NONE: still loaded */
  uint32_t reserved32;
};

/* A call instruction of a program without hooks whose returns were counted, by
 * `loopscope run`, which appends these after the process has ended. Copies of
 * one call in the source share their group. Addresses are the process's, by
 * what was loaded at the end. */
struct loopscope_call_count {
  uint64_t address; /* the return address */
  uint64_t count;   /* returns in `ns` */
  uint64_t ns;      /* that were counted, by CLOCK_MONOTONIC */
  uint32_t group;   /* from 0 */
  uint32_t flags;   /* enum loopscope_call_count_flag */
};

enum loopscope_call_count_flag {
  LOOPSCOPE_CALLS_TOO_MANY = 1u << 0 /* counting ended early, because each
                                        return costs the program time */
};

/* Counters: 1 if some threads have no samples of their time in the kernel;
 * nanoseconds of processor time that the process used while it was sampled; how
 * many samples were taken at the kernel's ticks instead of at random times; the
 * nanoseconds between two ticks, if some were; and the nanoseconds of processor
 * time between two samples of a thread, if all were taken at equal distances,
 * by `loopscope run` from outside the process. */
#define LOOPSCOPE_COUNT_STACKS_USER_ONLY "stacks.user_only"
#define LOOPSCOPE_COUNT_STACKS_CPU_NS "stacks.cpu_ns"
#define LOOPSCOPE_COUNT_STACKS_AT_TICKS "stacks.at_ticks"
#define LOOPSCOPE_COUNT_STACKS_TICK_NS "stacks.tick_ns"
#define LOOPSCOPE_COUNT_STACKS_EVERY_NS "stacks.every_ns"

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_frame) == 24)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_stack) == 128)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_code) == 88)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_call_count) == 32)

#endif /* LOOPSCOPE_PROFILE_FORMAT_STACKS_H */
