/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Facts of a run: what the program, or a file, says about it, such as a batch
 * size. Part of profile_format.h, which has the rules for all records and
 * includes this header.
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_FACTS_H
#define LOOPSCOPE_PROFILE_FORMAT_FACTS_H

#include <loopscope/profile_format.h>

/* What a fact's value is. A reader leaves out facts of other types. */
enum loopscope_fact_type {
  LOOPSCOPE_FACT_SIGNED = 1,   /* `value` is an int64_t */
  LOOPSCOPE_FACT_UNSIGNED = 2, /* `value` is a uint64_t */
  LOOPSCOPE_FACT_REAL = 3,     /* `value` holds an IEEE 754 double's bits */
  LOOPSCOPE_FACT_BOOL = 4,     /* `value` is 0 or 1 */
  LOOPSCOPE_FACT_TEXT = 5,     /* `text`, cut at 191 bytes */
  LOOPSCOPE_FACT_NUMERAL = 6   /* `text` is a number as JSON spells it */
};

/* The fact that has the commit of the repository around the working
 * directory. */
#define LOOPSCOPE_FACT_COMMIT "git_commit"

#define LOOPSCOPE_FACT_NAME_BYTES 48u
#define LOOPSCOPE_FACT_TEXT_BYTES 192u

/* Names are there once. A fact is changed between an odd and an even
 * `sequence`; name and text end with a NUL. */
struct loopscope_fact_record {
  uint32_t sequence;
  uint32_t type; /* enum loopscope_fact_type */
  uint64_t value;
  char name[LOOPSCOPE_FACT_NAME_BYTES];
  char text[LOOPSCOPE_FACT_TEXT_BYTES];
};

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_fact_record) == 256)

#endif /* LOOPSCOPE_PROFILE_FORMAT_FACTS_H */
