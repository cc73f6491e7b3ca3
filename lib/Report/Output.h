// Where finished documents go, and how wide they may be.
#ifndef LOOPSCOPE_REPORT_OUTPUT_H
#define LOOPSCOPE_REPORT_OUTPUT_H

#include "Report/Printers.h"

#include <string>

namespace loopscope {

/// Prints "loopscope: error: MESSAGE" on standard error.
void printError(const std::string &Message);

/// What text in a file may look like: no limit, no colours, and in bars more
/// than ASCII where the locale is UTF-8.
Terminal fileTerminal();

/// The terminal behind standard output: COLUMNS if it is set, else the
/// terminal's width, else no limit. Colours only on a terminal, and not with
/// NO_COLOR or TERM=dumb.
Terminal outputTerminal();

/// Writes TEXT to the file at PATH, wholly or not at all (a temporary file is
/// renamed), or to standard output when PATH is empty. False after printing why
/// when it failed. A reader that closes the pipe early is no failure.
bool writeOutput(const std::string &Text, const std::string &Path);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_OUTPUT_H
