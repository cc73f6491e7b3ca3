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

/// Whether text has colours.
enum class ColourChoice { Auto, Always, Never };

/// What a command line says about text.
struct TextRequest {
  ColourChoice Colours = ColourChoice::Auto;
  /// Columns, 0 for no limit. None: those of the terminal.
  std::optional<size_t> Width;
  TableStyle Style = TableStyle::Plain;
};

/// The place behind the output option PATH, as \p Asked has it.
///
/// Width, unless asked for: of standard output COLUMNS if that is set, else the
/// terminal's. A pipe and a file have no limit: nothing may be missing from
/// what is searched or kept.
/// Colours under Auto: never in a file; on standard output not with NO_COLOR,
/// always with CLICOLOR_FORCE, else on a terminal other than TERM=dumb unless
/// CLICOLOR is 0.
/// More than ASCII in bars where the locale is UTF-8.
Terminal terminalOf(const std::string &Path, const TextRequest &Asked);

/// Writes TEXT to PATH, an output option's value, as writeOutputFile() does.
/// Nothing after printing why when it failed. INPUTS and other profiles aren't
/// replaced.
std::optional<Written> writeOutput(const std::string &Text,
                                   const std::string &Path,
                                   const std::vector<std::string> &Inputs,
                                   Existing There = Existing::Replace);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_OUTPUT_H
