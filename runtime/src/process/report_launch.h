// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report at exit.

#ifndef LOOPSCOPE_PROCESS_REPORT_LAUNCH_H
#define LOOPSCOPE_PROCESS_REPORT_LAUNCH_H

namespace loopscope::runtime {

/// Runs the report on the finished profile, or prints how to.
void launchReport();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROCESS_REPORT_LAUNCH_H
