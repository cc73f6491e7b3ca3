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

/// Exit codes of the commands. `loopscope run` returns its program's unless
/// that is 0.
enum ExitCode {
  Fine = 0,
  Regression = 1, ///< what `loopscope diff --fail-over` looks for
  Failure = 2     ///< wrong usage, or something that can't be read or written
};

/// Prints "loopscope: error: MESSAGE" on standard error.
void printError(const std::string &Message);
/// Prints \p Message as printError() does, and returns Failure.
int fail(const std::string &Message);
/// Like printError(), with "warning" and "note".
void printWarning(const std::string &Message);
void printNote(const std::string &Message);

/// Whether text is coloured.
enum class ColourChoice { Auto, Always, Never };

/// What a command line says about text.
struct TextRequest {
  ColourChoice Colours = ColourChoice::Auto;
  /// Columns, 0 for no limit. None: those of the terminal.
  std::optional<size_t> Width;
  TableStyle Style = TableStyle::Plain;
};

/// The terminal properties of the output option \p Path, as far as \p Asked
/// doesn't set them.
///
/// Width: for standard output, COLUMNS if that is set, else the terminal's. A
/// pipe or file has no limit: nothing may be missing from what is searched or
/// kept. Colours under Auto: never in a file; on standard output never with
/// NO_COLOR, always with CLICOLOR_FORCE, otherwise on a terminal other than
/// TERM=dumb unless CLICOLOR is 0. Bars use more than ASCII if the locale is
/// UTF-8.
Terminal terminalOf(const std::string &Path, const TextRequest &Asked);

/// Writes \p Text to \p Path, the value of an output option, like
/// writeOutputFile(). On failure prints why and returns nothing. Doesn't
/// replace \p Inputs or other profiles.
std::optional<Written> writeOutput(const std::string &Text,
                                   const std::string &Path,
                                   const std::vector<std::string> &Inputs,
                                   Existing There = Existing::Replace);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_OUTPUT_H
