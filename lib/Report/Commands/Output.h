// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where finished documents go, and how wide they may be.

#ifndef LOOPSCOPE_REPORT_COMMANDS_OUTPUT_H
#define LOOPSCOPE_REPORT_COMMANDS_OUTPUT_H

#include "Report/Print/Printers.h"
#include "Support/OutputFile.h"

#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// How a command ends. `loopscope run` ends as its program does unless that is
/// with 0.
enum ExitCode {
  Fine = 0,
  Regression = 1, ///< what `loopscope diff --fail-over` looks for
  Failure = 2     ///< wrong usage, or something that can't be read or written
};

/// Prints "loopscope: error: MESSAGE" on standard error.
void printError(const std::string &Message);

/// What text in a file may look like: no limit, no colours, and in bars more
/// than ASCII where the locale is UTF-8.
Terminal fileTerminal();

/// The terminal behind standard output: COLUMNS if it is set, else the
/// terminal's width, else no limit. Colours only on a terminal, and not with
/// NO_COLOR or TERM=dumb.
Terminal outputTerminal();

/// outputTerminal() where the output option PATH is standard output, else
/// fileTerminal().
Terminal terminalOf(const std::string &Path);

/// Writes TEXT to PATH, an output option's value, as writeOutputFile() does.
/// Nothing after printing why when it failed. INPUTS and other profiles aren't
/// replaced.
std::optional<Written> writeOutput(const std::string &Text,
                                   const std::string &Path,
                                   const std::vector<std::string> &Inputs,
                                   Existing There = Existing::Replace);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_OUTPUT_H
