// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lines below the tables about GPU data: why it is missing, what was lost,
// and what collecting it cost.

#ifndef LOOPSCOPE_REPORT_VIEWS_GPUFOOTER_H
#define LOOPSCOPE_REPORT_VIEWS_GPUFOOTER_H

#include "Report/Views/View.h"
#include "Run/Model/Run.h"

namespace loopscope {

/// Adds one line per item to S.Footer, and all of them as numbers to
/// S.Integrity. Programs that don't use CUDA get no line.
void describeGpu(const Run &R, Section &S);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_GPUFOOTER_H
