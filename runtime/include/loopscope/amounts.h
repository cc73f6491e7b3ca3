/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The amounts that a program gives for spans of phases and for steps, as
 * floating-point numbers: reports show their sum and their rate for each call
 * path. A row is all that one needs beside its macro in annotate.h: hooks, the
 * rewriter, the runtime, readers and reports go by the rows.
 *
 * Precedes the program's first line, like hooks.h. Works in C99 and C++11. */
#ifndef __LOOPSCOPE_AMOUNTS_H
#define __LOOPSCOPE_AMOUNTS_H

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC system_header
#endif

/* X(NAME, IDENTIFIER, NOUN). The attribute is loopscope::NAME, a rule's key
 * NAME, the function loopscope_NAME, the profile's sums "amount.NAME" and
 * "amount.last.NAME". Our code calls it IDENTIFIER. Reports call it NOUN, which
 * is in lower case the key of its column. Copies of the runtime in one process
 * tell each other a row's number, so add rows at the end. */
#define __LOOPSCOPE_AMOUNTS(X)                                                 \
  X(flops, Flops, "FLOP")                                                      \
  /* the next row */

#endif /* __LOOPSCOPE_AMOUNTS_H */
