// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report, at exit or when the program asks for it.

#ifndef LOOPSCOPE_PROCESS_REPORT_LAUNCH_H
#define LOOPSCOPE_PROCESS_REPORT_LAUNCH_H

namespace loopscope::runtime {

enum class ReportTime {
  AtEnd, ///< The program's buffered output goes first.
  Now    ///< No function of libc is called that a pthread_cancel() could end.
};

/// Runs the report on the profile as it is, or prints how to.
void launchReport(ReportTime When);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROCESS_REPORT_LAUNCH_H
