// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HTML pages of `loopscope report` and `loopscope diff`: where they are
// written, and the browser that shows them.

#ifndef LOOPSCOPE_REPORT_COMMANDS_OPENPAGE_H
#define LOOPSCOPE_REPORT_COMMANDS_OPENPAGE_H

#include "Report/Print/Section.h"
#include "Support/Result.h"

#include <string>

namespace loopscope {

/// The file for a page. \p Named is the value of -o ("-": standard output). \p
/// Open: the page is to be opened; without a name, it becomes \p Name in a new
/// temporary directory. \p Asked is the format. An error if the page would go
/// to a terminal, or if browsers can't show the format.
Result<std::string> placeOfPage(const std::string &Named, bool Open,
                                Format Asked, const char *Name);

/// Opens the page at \p Path with $BROWSER, else with the desktop's browser. If
/// that fails, says so and returns false.
bool openPage(const std::string &Path);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_OPENPAGE_H
