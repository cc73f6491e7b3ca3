/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The names of the report's views and styles: what `loopscope report --view
 * NAME` and LOOPSCOPE=view=NAME accept, in the order of the help; --style and
 * style= likewise. The runtime, which knows nothing else of views, and the
 * report generator both read this list. */
#ifndef LOOPSCOPE_VIEW_NAMES_H
#define LOOPSCOPE_VIEW_NAMES_H

/* X(NAME, IDENTIFIER): its name, and IDENTIFIERView in the report generator. */
#define LOOPSCOPE_VIEWS(X)                                                     \
  X("simple", Simple)                                                          \
  X("throughput", Throughput)                                                  \
  X("tree", Tree)                                                              \
  X("advanced", Advanced)                                                      \
  X("ranks", Ranks)                                                            \
  X("communication", Communication)                                            \
  X("distributed", Distributed)                                                \
  X("functions", Functions)                                                    \
  X("operators", Operators)                                                    \
  X("kernels", Kernels)                                                        \
  X("overview", Overview)                                                      \
  X("ranges", Ranges)                                                          \
  X("devices", Devices)                                                        \
  X("timeline", Timeline)                                                      \
  X("steps", Steps)                                                            \
  X("path", Path)                                                              \
  X("whatif", Whatif)

/* X(NAME, IDENTIFIER): its name, and TableStyle::IDENTIFIER. The first is what
 * a report has that nobody asked for another. */
#define LOOPSCOPE_STYLES(X)                                                    \
  X("plain", Plain)                                                            \
  X("lightning", Lightning)

#endif /* LOOPSCOPE_VIEW_NAMES_H */
