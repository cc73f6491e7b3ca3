// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that commands start, and the profiles that they leave.

#ifndef LOOPSCOPE_REPORT_COMMANDS_PROGRAM_H
#define LOOPSCOPE_REPORT_COMMANDS_PROGRAM_H

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace loopscope {

/// Exit codes from here on are a shell's for a program that couldn't run.
inline constexpr int NotExecutable = 126;

/// What becomes of a program's standard output.
enum class ProgramOutput { Kept, Dropped };

/// Runs COMMAND, of at least one word, and passes the terminal's and other
/// processes' signals on to it. Returns its wait status; where it can't be run,
/// that of a program that said so and exited with NotExecutable or more.
int waitForProgram(const std::vector<std::string> &Command,
                   ProgramOutput Output = ProgramOutput::Kept);

/// Profiles in a directory, with when they were last written.
using ProfileListing = std::map<std::string, std::filesystem::file_time_type>;

ProfileListing listProfiles(const std::filesystem::path &Directory);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_PROGRAM_H
