// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which targets of a CMake project a program needs, as CMake's file API
// describes them (cmake-file-api(7), codemodel version 2).

#ifndef LOOPSCOPE_REPORT_COMMANDS_CMAKETARGETS_H
#define LOOPSCOPE_REPORT_COMMANDS_CMAKETARGETS_H

#include <filesystem>
#include <string>
#include <vector>

namespace loopscope {

/// Makes CMake describe the targets of \p Build, a folder that it will
/// configure.
void askForTargets(const std::filesystem::path &Build);

/// The targets that make \p Programs, whose paths are relative to \p Build, and
/// all libraries that a program may load while it runs. What these link, the
/// build tool makes. Empty if all targets have to be built: a program is no
/// target's, the project has targets that may make anything, or CMake is too
/// old to say.
std::vector<std::string>
targetsOf(const std::filesystem::path &Build,
          const std::vector<std::filesystem::path> &Programs);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_CMAKETARGETS_H
