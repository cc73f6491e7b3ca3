// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiler options look like and mean.

#ifndef LOOPSCOPE_LAUNCH_OPTIONTABLE_H
#define LOOPSCOPE_LAUNCH_OPTIONTABLE_H

#include "Launch/CommandLine.h"

namespace loopscope::launch {

/// Reads the option at ARGS[INDEX] (which starts with '-') under FAMILY's
/// rules. An option that isn't known is a flag of one word.
Option readOption(const std::vector<std::string> &Args, std::size_t Index,
                  Family Kind);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_OPTIONTABLE_H
