// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report that the program asks for (loopscope_report).

#ifndef LOOPSCOPE_REPORT_EXTENSION_H
#define LOOPSCOPE_REPORT_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension ReportExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_REPORT_EXTENSION_H
