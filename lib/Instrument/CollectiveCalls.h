// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which calls communicate with all ranks -------------------*- C++ -*.

#ifndef LOOPSCOPE_INSTRUMENT_COLLECTIVECALLS_H
#define LOOPSCOPE_INSTRUMENT_COLLECTIVECALLS_H

#include <string_view>

namespace loopscope::instrument {

/// Whether CALLEE, a qualified name, is by its name communication of all ranks:
/// `all_reduce`, `ncclAllGather`, `gloo::broadcast`. Names that mean other
/// things as well, such as `reduce` and `gather`, count where the name says
/// whose they are. MPI's functions aren't among them: they are recorded without
/// a rule.
bool isCollectiveCall(std::string_view Callee);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_COLLECTIVECALLS_H
