// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a misspelt word may have been meant to be.

#ifndef LOOPSCOPE_SUPPORT_SUGGEST_H
#define LOOPSCOPE_SUPPORT_SUGGEST_H

#include <string>
#include <string_view>
#include <vector>

namespace loopscope {

/// The one of \p Choices that is nearest to \p Word: a third of the letters may
/// be wrong, missing or too many, and two that changed places count as one.
/// Empty where none is that near.
std::string nearestTo(std::string_view Word,
                      const std::vector<std::string> &Choices);

/// "did you mean 'report'?" for nearestTo(\p Word, \p Choices); empty where
/// there is none.
std::string suggestionFor(std::string_view Word,
                          const std::vector<std::string> &Choices);

/// "use one of fit, test", or with a near one of \p Choices in front "did you
/// mean 'fit'? Use one of fit, test".
std::string chooseFrom(std::string_view Word,
                       const std::vector<std::string> &Choices);

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_SUGGEST_H
