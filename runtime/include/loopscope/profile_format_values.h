/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers that a program tells again and again, such as its loss: over time, in
 * bins. Part of profile_format.h, which has the rules for all records and
 * includes this header.
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_VALUES_H
#define LOOPSCOPE_PROFILE_FORMAT_VALUES_H

#include <loopscope/profile_format.h>

#define LOOPSCOPE_VALUE_BINS 128u
#define LOOPSCOPE_VALUE_NAME_BYTES 48u

/* What was told in a bin, in order: infinities and what is no number are only
 * counted. Without finite ones, the rest is 0. */
struct loopscope_value_bin {
  uint64_t count; /* of finite ones */
  uint64_t not_finite;
  double sum;
  double min;
  double max;
  double last;
};

/* All of a name, which is there once. Bin I begins I * width_ticks after the
 * run's start. When there would be too many, each two neighbours become one.
 * Changed between an odd and an even `sequence`; the name ends with a NUL. */
struct loopscope_value_record {
  uint32_t sequence;
  uint32_t used; /* bins up to the last one with a number */
  uint64_t width_ticks;
  char name[LOOPSCOPE_VALUE_NAME_BYTES];
  struct loopscope_value_bin bin[LOOPSCOPE_VALUE_BINS];
};

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_value_record) == 6208)

#endif /* LOOPSCOPE_PROFILE_FORMAT_VALUES_H */
