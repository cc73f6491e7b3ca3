// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands below the tables about GPU data: why it is missing, what of it
// was lost, and what collecting it cost.

#ifndef LOOPSCOPE_REPORT_VIEWS_GPUFOOTER_H
#define LOOPSCOPE_REPORT_VIEWS_GPUFOOTER_H

#include "Report/Views/View.h"
#include "Run/Run.h"

namespace loopscope {

/// Adds one line for each thing to S.Footer, and all of them as numbers to
/// S.Integrity. Programs that make no use of CUDA get no line.
void describeGpu(const Run &P, Section &S);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_GPUFOOTER_H
