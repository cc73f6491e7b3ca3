// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who is late, from the own time of single steps.
//
//   runs -> the steps that all ranks have on record -> their own time by rank
//        -> single long steps, then ranks that are always late, then ranks that
//           are late in turns
//
// All ranks of a synchronised run need equally long for a step, so whoever has
// more own time waits less: this needs no collective, message or clock. A wait,
// a message or a collective is never a reason, because it has no own time.

#ifndef LOOPSCOPE_ANALYSIS_RANKS_LATERANKS_H
#define LOOPSCOPE_ANALYSIS_RANKS_LATERANKS_H

#include "Analysis/Ranks/Ranks.h"
#include "Run/Model/Stages.h"

#include <string>
#include <vector>

namespace loopscope {

/// Whether \p All have the own time of single steps of \p Kind.
bool haveOwnSteps(const std::vector<Run> &All, const std::vector<Stages> &Found,
                  loopscope_kind Kind);

/// A sentence: only \p Steps of them could be compared.
std::string tooFewSteps(size_t Steps);

/// Fills in \p To's straggler and the culprits of its rows from the own time of
/// steps of \p Kind; adds a note if it can't tell. The rows' times are known
/// already.
void findLateRanks(const std::vector<Run> &All,
                   const std::vector<Stages> &Found, loopscope_kind Kind,
                   StageRanks &To);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKS_LATERANKS_H
