/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Merged files: the profiles of a run's ranks in one file, reduced to sums and
 * the data of the ranks view. Part of profile_format.h, which has the rules for
 * all records and includes this header.
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_MERGED_H
#define LOOPSCOPE_PROFILE_FORMAT_MERGED_H

#include <loopscope/profile_format.h>

#define LOOPSCOPE_MERGED_MAGIC "LOOPSMR\n"

/* Limit for the collectives of all ranks in a merged file. Each rank keeps its
 * newest ones in an equal share. */
#define LOOPSCOPE_MERGED_RING_BYTES (UINT64_C(64) << 20)

/* Whether a chunk of this type is left out of the copies: timelines. */
#define LOOPSCOPE_MERGED_LEAVES_OUT(TYPE)                                      \
  ((TYPE) == LOOPSCOPE_CHUNK_EVENTS || (TYPE) == LOOPSCOPE_CHUNK_GPU_EVENTS || \
   (TYPE) == LOOPSCOPE_CHUNK_RANGE_EVENTS)

/* Whether a chunk of this type is left out of brief copies, too: what has no
 * sums by call path, or too many records. */
#define LOOPSCOPE_SUMMARY_LEAVES_OUT(TYPE)                                     \
  ((TYPE) == LOOPSCOPE_CHUNK_HISTORY ||                                        \
   (TYPE) == LOOPSCOPE_CHUNK_HISTORY_STEPS ||                                  \
   (TYPE) == LOOPSCOPE_CHUNK_HISTORY_LANES ||                                  \
   (TYPE) == LOOPSCOPE_CHUNK_STACKS || (TYPE) == LOOPSCOPE_CHUNK_CODE ||       \
   (TYPE) == LOOPSCOPE_CHUNK_FRAMES || (TYPE) == LOOPSCOPE_CHUNK_METRICS ||    \
   (TYPE) == LOOPSCOPE_CHUNK_METRIC_SUMS ||                                    \
   (TYPE) == LOOPSCOPE_CHUNK_WHATIF || (TYPE) == LOOPSCOPE_CHUNK_VALUES)

/* What the brief copies of all ranks take at most, as far as a shorter record
 * of steps and collectives can help. */
#define LOOPSCOPE_SUMMARY_BYTES (UINT64_C(44) << 20)

#define LOOPSCOPE_PACKED_MAGIC "LOOPSPK\n"

/* The file begins with this header, then `members` entries of
 * loopscope_merged_member, padded to whole pages, then the copies of profiles
 * in any order. Each copy starts at a page boundary and is a complete profile
 * with LOOPSCOPE_FLAG_COPY. The writer may have died: a copy is valid once all
 * of its bytes have arrived.
 *
 * A summary has whole copies of some ranks and brief copies of the others,
 * packed against rank 0's brief copy, the base (loopscope/profile_pack.h). A
 * packed copy starts anywhere, with a loopscope_packed_profile. */
struct loopscope_merged_header {
  char magic[8];
  uint16_t version_major; /* of the profile format; the writer's */
  uint16_t version_minor;
  uint32_t header_size; /* of this header and the members, in whole pages */
  uint32_t members;     /* ranks of the run */
  uint32_t member_size;
  uint64_t base_offset; /* 0: nothing is packed */
  uint64_t base_size;
  uint64_t reserved[3];
};

/* Member i is rank i if ranks are known. */
struct loopscope_merged_member {
  uint64_t offset; /* 0: nothing has arrived from this rank */
  uint64_t size;
  uint64_t arrived; /* bytes that have arrived; stored last */
  uint64_t reserved;
};

/* Precedes the bytes of a packed copy. The times are of the steps that the rank
 * has on record, in nanoseconds; 0 without any. */
struct loopscope_packed_profile {
  char magic[8];
  uint64_t size;   /* once unpacked */
  uint64_t own_ns; /* mean own time of a step, without the slowest quarter */
  uint64_t longest_ns; /* longest own time of one step */
};

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_packed_profile) == 32)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_merged_header) == 64)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_merged_member) == 32)

#endif /* LOOPSCOPE_PROFILE_FORMAT_MERGED_H */
