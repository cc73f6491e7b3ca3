// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether and how `loopscope run` puts the runtime before a program that wasn't
// built with it.

#ifndef LOOPSCOPE_REPORT_COMMANDS_PRELOAD_H
#define LOOPSCOPE_REPORT_COMMANDS_PRELOAD_H

#include <string>

namespace loopscope {

/// What is to be done with a program.
struct PreloadPlan {
  std::string File;    ///< that the kernel starts
  std::string Library; ///< to preload; empty: nothing is
  std::string Ranges;  ///< the library that reads NVTX ranges; empty: none
  /// Why nothing is preloaded, as in "it can't be, because ..."; empty: it
  /// isn't necessary, or the program can't be started at all.
  std::string WhyNot;
  /// Whether the program can be sampled from outside instead.
  bool FromOutside = false;
};

/// For the program \p Command, a path or a name that PATH has.
PreloadPlan planPreload(const std::string &Command);

/// Puts the libraries into this process's environment, for its children.
/// Returns what LOOPSCOPE= shall say besides.
std::string applyPreload(const PreloadPlan &Plan);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_PRELOAD_H
