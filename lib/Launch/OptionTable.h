// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms and meanings of compiler options.

#ifndef LOOPSCOPE_LAUNCH_OPTIONTABLE_H
#define LOOPSCOPE_LAUNCH_OPTIONTABLE_H

#include "Launch/CommandLine.h"

namespace loopscope::launch {

/// Reads the option at \p Args[\p Index], which starts with '-', by the rules
/// of \p Kind. An unknown option is a flag of one word.
Option readOption(const std::vector<std::string> &Args, std::size_t Index,
                  Family Kind);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_OPTIONTABLE_H
