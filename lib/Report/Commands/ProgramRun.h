// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the profiles that one program left, of all its ranks.

#ifndef LOOPSCOPE_REPORT_COMMANDS_PROGRAMRUN_H
#define LOOPSCOPE_REPORT_COMMANDS_PROGRAMRUN_H

#include "Report/Views/View.h"
#include "Run/Model/Run.h"
#include "Support/Result.h"

#include <string>
#include <vector>

namespace loopscope {

/// The run in \p Files, profiles or directories of them. Those of several
/// processes, which are of one program, are added up: what one rank waits for
/// may be what another one computes. An error if one can't be read, or if their
/// programs differ.
Result<Run> readProgramRun(const std::vector<std::string> &Files,
                           const ViewOptions &Options);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_PROGRAMRUN_H
