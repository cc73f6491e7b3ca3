// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises calls that communicate with all ranks.

#ifndef LOOPSCOPE_INSTRUMENT_SUGGEST_COLLECTIVECALLS_H
#define LOOPSCOPE_INSTRUMENT_SUGGEST_COLLECTIVECALLS_H

#include <string_view>

namespace loopscope::instrument {

/// Whether \p Callee, a qualified name, is by its name a communication of all
/// ranks: `all_reduce`, `ncclAllGather`, `gloo::broadcast`. Ambiguous names
/// such as `reduce` and `gather` count if the name shows whose they are. MPI's
/// functions don't count: they are recorded without a rule.
bool isCollectiveCall(std::string_view Callee);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SUGGEST_COLLECTIVECALLS_H
