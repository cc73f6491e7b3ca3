// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out which compiler a command runs.
//
// Which word of a command names the compiler, and to which family it belongs.
// Common names are known; any other program is asked.

#ifndef LOOPSCOPE_LAUNCH_COMPILER_H
#define LOOPSCOPE_LAUNCH_COMPILER_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope::launch {

/// Which family's options a command line uses.
enum class Family { Unknown, Gcc, Clang, Nvcc };

struct Compiler {
  Family Kind = Family::Unknown;
  bool CPlusPlus = false; ///< g++, clang++: .c files are C++.
};

/// What \p Program is, by its file name: "/usr/bin/x86_64-linux-gnu-g++-12" is
/// Gcc. cc and c++ are what they link to. Unknown for anything else, such as
/// MPI's wrappers and scripts.
Compiler compilerByName(std::string_view Program);

/// The file that \p Program, looked up in PATH, stands for, with links
/// resolved; "" if there is none.
std::string resolvedProgram(std::string_view Program);

/// Whether \p Program is a compiler cache, which keeps objects by the text and
/// the command that they are compiled from.
bool isCache(std::string_view Program);

/// Runs \p Command (launchers and compiler) in \p Directory with --version and,
/// if that doesn't tell, with an empty source.
Compiler askCompiler(const std::vector<std::string> &Command,
                     const std::string &Directory);

/// Where the parts of a command begin.
struct CommandParts {
  std::size_t Launcher = 0; ///< First of ccache, distcc, ...; behind programs
                            ///< that run another one their way (env, nice).
  std::size_t Compiler = 0; ///< The number of words if there is none.
  bool Strange = false;     ///< An unknown program stands before the compiler,
                            ///< and may be anything (`cp gcc /opt`): ask.
};

CommandParts partsOf(const std::vector<std::string> &Command);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_COMPILER_H
