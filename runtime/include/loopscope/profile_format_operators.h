/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Links operators of LibTorch's backward pass to those of the forward pass.
 * Part of profile_format.h, which has the rules for all records and includes
 * this header.
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_OPERATORS_H
#define LOOPSCOPE_PROFILE_FORMAT_OPERATORS_H

#include <loopscope/profile_format.h>

/* How many spans of a backward operator's node belong to spans of a forward
 * operator's node. FORWARD and BACKWARD are stored together, COUNT in single
 * stores. */
struct loopscope_operator_link {
  uint32_t forward;  /* node index */
  uint32_t backward; /* node index + 1; 0: the entry is free */
  uint64_t count;
};

/* Counter: spans of backward operators whose forward operator is no longer
 * known, or whose pair found no room. */
#define LOOPSCOPE_COUNT_OPERATORS_UNLINKED "torch.unlinked"

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_operator_link) == 16)

#endif /* LOOPSCOPE_PROFILE_FORMAT_OPERATORS_H */
