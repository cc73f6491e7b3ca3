// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts programs for commands, and lists the profiles that they leave.

#ifndef LOOPSCOPE_REPORT_COMMANDS_PROGRAM_H
#define LOOPSCOPE_REPORT_COMMANDS_PROGRAM_H

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace loopscope {

/// From here on, exit codes are those of a shell whose program couldn't run.
inline constexpr int NotExecutable = 126;

/// What happens to a program's standard output.
enum class ProgramOutput { Kept, Dropped };

/// A program that has ended: its wait status and process number.
struct EndedProgram {
  int Status = 0;
  int Pid = 0;           ///< 0: it could not be started
  double CpuSeconds = 0; ///< it and the children that it waited for
};

/// Is told the number of a process that waits to execute its program.
using BeforeProgram = std::function<void(int Pid)>;

/// Runs \p Command, which has at least one word, and passes the terminal's and
/// other processes' signals on to it. If it can't be run, prints why and
/// returns the status of a program that exited with NotExecutable or more.
EndedProgram waitForProgram(const std::vector<std::string> &Command,
                            ProgramOutput Output = ProgramOutput::Kept,
                            const BeforeProgram &Before = nullptr);

/// Profiles in a directory, and when they were last written.
using ProfileListing = std::map<std::string, std::filesystem::file_time_type>;

ProfileListing listProfiles(const std::filesystem::path &Directory);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_PROGRAM_H
