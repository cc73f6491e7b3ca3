// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who compiles.
//
// Which words of a command name the compiler, and which family of compilers it
// belongs to. The usual names say so themselves; any other program is asked.

#ifndef LOOPSCOPE_LAUNCH_COMPILER_H
#define LOOPSCOPE_LAUNCH_COMPILER_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope::launch {

/// Whose options a command line uses.
enum class Family { Unknown, Gcc, Clang, Nvcc };

struct Compiler {
  Family Kind = Family::Unknown;
  bool CPlusPlus = false; ///< g++, clang++: .c files are C++.
};

/// Who PROGRAM is, from its file name: "/usr/bin/x86_64-linux-gnu-g++-12" is
/// Gcc. cc and c++ are what their links lead to. Unknown for all that may be
/// anything: MPI's wrappers, scripts.
Compiler compilerByName(std::string_view Program);

/// Runs COMMAND (launchers and compiler) in DIRECTORY with --version, and with
/// an empty source where that doesn't tell.
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
