/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Keys of spans, such as a layer's number: nodes that differ in nothing but
 * their key. Part of profile_format.h, which has the rules for all records and
 * includes this header.
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_KEYS_H
#define LOOPSCOPE_PROFILE_FORMAT_KEYS_H

#include <loopscope/profile_format.h>

/* What a key is. Readers that don't know one show "?". */
enum loopscope_key_type {
  LOOPSCOPE_KEY_NONE = 0,     /* the node has no key */
  LOOPSCOPE_KEY_SIGNED = 1,   /* `value` is an int64_t */
  LOOPSCOPE_KEY_UNSIGNED = 2, /* `value` is a uint64_t */
  LOOPSCOPE_KEY_BOOL = 3,     /* 0 or 1 */
  LOOPSCOPE_KEY_CHAR = 4,     /* a character's code */
  LOOPSCOPE_KEY_TEXT = 5,     /* `text`, cut at 200 bytes */
  LOOPSCOPE_KEY_RANGE = 6, /* numbers that found no node of their own: `value`
                              is b for those from 2^b to 2^(b + 1) - 1, 64 + b
                              for their negatives, and 128 for 0 */
  LOOPSCOPE_KEY_OTHER = 7, /* texts that found no node of their own */
  LOOPSCOPE_KEY_TYPE_NAME = 8 /* `text` is the mangled name of a C++ type; such
                                 nodes have TEXT in their flags */
};

/* The key of a node. Published before the node. */
struct loopscope_node_key {
  uint32_t node;                         /* index */
  uint32_t type;                         /* enum loopscope_key_type */
  uint64_t value;                        /* 0 for texts */
  struct loopscope_profile_string label; /* such as "layer" */
  struct loopscope_profile_string text;  /* of a number: the name of the
                                            enumerator that it is, or length
                                            0 */
};

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_node_key) == 48)

#endif /* LOOPSCOPE_PROFILE_FORMAT_KEYS_H */
