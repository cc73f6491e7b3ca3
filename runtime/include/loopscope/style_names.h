/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of the simple view's styles: the values of `loopscope report --style`
 * and LOOPSCOPE=style=, in the order of the help. */
#ifndef LOOPSCOPE_STYLE_NAMES_H
#define LOOPSCOPE_STYLE_NAMES_H

/* X(NAME, IDENTIFIER): the style's name; TableStyle::IDENTIFIER is its value.
 * The first one is the default. */
#define LOOPSCOPE_STYLES(X)                                                    \
  X("plain", Plain)                                                            \
  X("lightning", Lightning)

#endif /* LOOPSCOPE_STYLE_NAMES_H */
