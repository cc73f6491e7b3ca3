// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guesses what a misspelt word was meant to be.

#ifndef LOOPSCOPE_SUPPORT_SUGGEST_H
#define LOOPSCOPE_SUPPORT_SUGGEST_H

#include <string>
#include <string_view>
#include <vector>

namespace loopscope {

/// The entry of \p Choices nearest to \p Word: a third of the letters may be
/// wrong, missing or extra, and two swapped letters count as one. Empty if none
/// is that near.
std::string nearestTo(std::string_view Word,
                      const std::vector<std::string> &Choices);

/// "did you mean 'report'?" for nearestTo(\p Word, \p Choices); empty if there
/// is none.
std::string suggestionFor(std::string_view Word,
                          const std::vector<std::string> &Choices);

/// "use one of fit, test" or, if one of \p Choices is near, "did you mean
/// 'fit'? Use one of fit, test".
std::string chooseFrom(std::string_view Word,
                       const std::vector<std::string> &Choices);

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_SUGGEST_H
