// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an empty span costs.

#ifndef LOOPSCOPE_PROCESS_OWN_COST_H
#define LOOPSCOPE_PROCESS_OWN_COST_H

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// Measures the cost of an empty span and stores it in the header.
void measureOwnCost(loopscope_profile_header &Into);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROCESS_OWN_COST_H
