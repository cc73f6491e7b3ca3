/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parts of a run: where the program began a new profile (loopscope_reset). Part
 * of profile_format.h, which has the rules for all records and includes this
 * header.
 *
 * A profile with these records holds the whole run. What came before record I
 * is in its file: a profile with LOOPSCOPE_FLAG_PART that was written at that
 * moment, holds the run up to then, and has the records before I. So a part is
 * the difference of two profiles: what a file holds, less what the file of its
 * last record holds.
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_PARTS_H
#define LOOPSCOPE_PROFILE_FORMAT_PARTS_H

#include <loopscope/profile_format.h>

/* Parts that a run can have, less the last one: one chunk of a page. */
#define LOOPSCOPE_PARTS_BEFORE 126u

struct loopscope_part {
  uint64_t end_ticks; /* when the next part began; end_ticks of its file */
  struct loopscope_profile_string file; /* the path that it was given */
  uint64_t reserved;
};

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_part) == 32)
LOOPSCOPE_FORMAT_CHECK_(LOOPSCOPE_PARTS_BEFORE *
                            sizeof(struct loopscope_part) <=
                        LOOPSCOPE_PROFILE_PAGE -
                            sizeof(struct loopscope_chunk_header))

#endif /* LOOPSCOPE_PROFILE_FORMAT_PARTS_H */
