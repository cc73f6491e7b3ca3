/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Links operators of LibTorch's backward pass to those of the forward pass, and
 * has the inputs of operators. Part of profile_format.h, which has the rules
 * for all records and includes this header.
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

/* Where the inputs of operators are recorded (shapes=on), the function of an
 * operator's site is their shapes and types: "[[64, 20], []] [float, Scalar]".
 * Inputs that are no tensors have the shape [], and the types Scalar,
 * ScalarList, TensorList or -. Each list of inputs is a call path of its own,
 * up to a number of them for an operator and in all. The rest have these words.
 */
#define LOOPSCOPE_OTHER_INPUTS "(other inputs)"

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_operator_link) == 16)

#endif /* LOOPSCOPE_PROFILE_FORMAT_OPERATORS_H */
