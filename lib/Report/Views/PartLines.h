// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of a run a report is of, below its tables.

#ifndef LOOPSCOPE_REPORT_VIEWS_PARTLINES_H
#define LOOPSCOPE_REPORT_VIEWS_PARTLINES_H

#include "Run/Model/Run.h"

#include <string>
#include <vector>

namespace loopscope {

/// None if the program never began a new profile.
std::vector<std::string> partLines(const Run &Of);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_PARTLINES_H
