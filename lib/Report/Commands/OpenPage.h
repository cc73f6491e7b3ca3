// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HTML pages of `loopscope report` and `loopscope diff`: where they are
// written, and the browser that shows them.

#ifndef LOOPSCOPE_REPORT_COMMANDS_OPENPAGE_H
#define LOOPSCOPE_REPORT_COMMANDS_OPENPAGE_H

#include "Report/Print/Section.h"
#include "Support/Result.h"

#include <string>

namespace loopscope {

/// The file for a page, where NAMED is what -o says ("-": standard output) and
/// OPEN whether it is to be opened: then one that nobody named is NAME in a new
/// temporary directory. ASKED is the format. An error where the page would go
/// to a terminal, or the format isn't one that a browser shows.
Result<std::string> placeOfPage(const std::string &Named, bool Open,
                                Format Asked, const char *Name);

/// Opens the page at PATH with $BROWSER, or else the desktop's; false where
/// that failed, which it has said.
bool openPage(const std::string &Path);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_OPENPAGE_H
