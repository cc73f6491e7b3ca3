/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of the report's views: the values of `loopscope report --view` and
 * LOOPSCOPE=view=, in the order of the help. Shared by the report generator,
 * whose build takes its files from here, and the runtime, which needs nothing
 * else about views. */
#ifndef LOOPSCOPE_VIEW_NAMES_H
#define LOOPSCOPE_VIEW_NAMES_H

/* X(NAME, IDENTIFIER): the view's name; IDENTIFIERView is its entry, in
 * lib/Report/Views/IDENTIFIER.cpp. */
#define LOOPSCOPE_VIEWS(X)                                                     \
  X("summary", Summary)                                                        \
  X("simple", Simple)                                                          \
  X("throughput", Throughput)                                                  \
  X("account", Account)                                                        \
  X("history", History)                                                        \
  X("tree", Tree)                                                              \
  X("advanced", Advanced)                                                      \
  X("ranks", Ranks)                                                            \
  X("communication", Communication)                                            \
  X("distributed", Distributed)                                                \
  X("functions", Functions)                                                    \
  X("loops", Loops)                                                            \
  X("operators", Operators)                                                    \
  X("kernels", Kernels)                                                        \
  X("overview", Overview)                                                      \
  X("ranges", Ranges)                                                          \
  X("devices", Devices)                                                        \
  X("hardware", Hardware)                                                      \
  X("roofline", Roofline)                                                      \
  X("timeline", Timeline)                                                      \
  X("steps", Steps)                                                            \
  X("memory", Memory)                                                          \
  X("path", Path)                                                              \
  X("whatif", Whatif)

/* X(NAME): those that need the timeline of LOOPSCOPE=trace. */
#define LOOPSCOPE_TIMELINE_VIEWS(X)                                            \
  X("timeline")                                                                \
  X("steps")                                                                   \
  X("memory")                                                                  \
  X("path")

#endif /* LOOPSCOPE_VIEW_NAMES_H */
