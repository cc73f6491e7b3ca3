// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Make rules that name the original files.

#ifndef LOOPSCOPE_LAUNCH_DEPFILE_H
#define LOOPSCOPE_LAUNCH_DEPFILE_H

#include "Support/Result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope::launch {

/// \p Text, a compiler's depfile, with every path replaced for which \p Rename
/// has an answer, and with \p More added to the dependencies of the first rule.
/// Everything else, including line breaks, stays as it is.
std::string renameDependencies(
    std::string_view Text,
    const std::function<std::string(const std::string &)> &Rename,
    const std::vector<std::string> &More);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_DEPFILE_H
