// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The roles of calls and functions in a source.

#include "Instrument/Suggest/Roles.h"

namespace loopscope::instrument {

Role roleOf(const SeenCall &Call) {
  return Call.Via.empty() ? roleOfName(Call.Name, Call.Object, Call.Real,
                                       Call.Arguments.empty())
                          : Role::None;
}

Role roleOf(const SeenBody &Body) {
  size_t Scope = Body.Name.rfind("::");
  return roleOfName(Scope == std::string::npos ? Body.Name
                                               : Body.Name.substr(Scope + 2),
                    "", false, Body.Signature == "()");
}

} // namespace loopscope::instrument
