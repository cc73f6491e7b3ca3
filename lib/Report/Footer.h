// What stands below the tables: the profiler's own cost, and what the run lost.
#ifndef LOOPSCOPE_REPORT_FOOTER_H
#define LOOPSCOPE_REPORT_FOOTER_H

#include "Profile/Model.h"
#include "Report/View.h"

namespace loopscope {

/// Fills S's Facts, Footer and Integrity from the run.
void describeRun(const Profile &P, Section &S);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_FOOTER_H
