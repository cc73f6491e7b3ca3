// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an earlier run shows about functions that could have a hook: the
// analysis judges them, function mode looks them up.

#ifndef LOOPSCOPE_SUPPORT_HOOKWORTH_H
#define LOOPSCOPE_SUPPORT_HOOKWORTH_H

#include "Support/FunctionPlaces.h"

#include <vector>

namespace loopscope {

enum class HookWorth {
  Worth, ///< or not known
  NotWorth,
  NotWorthWithoutLoop ///< worth it if the function's source has a loop
};

/// A function of the run, and whether a hook there tells more than it costs.
struct JudgedFunction {
  FunctionPlace Place;
  HookWorth Is = HookWorth::Worth;
};

/// Judged functions, found by where the source has them now.
class JudgedFunctions {
public:
  explicit JudgedFunctions(std::vector<JudgedFunction> All)
      : All(std::move(All)) {
    for (uint32_t I = 0; I < this->All.size(); ++I)
      Places.add(this->All[I].Place, I);
  }

  /// Returns Worth if none of them is on \p Place's line: another function of
  /// the same name may not have run.
  HookWorth find(const FunctionPlace &Place) const {
    std::optional<uint32_t> Number = Places.find(Place);
    return Number && All[*Number].Place.Line == Place.Line ? All[*Number].Is
                                                           : HookWorth::Worth;
  }

private:
  std::vector<JudgedFunction> All;
  FunctionPlaces Places;
};

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_HOOKWORTH_H
