// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which pragmas belong to the loop after them, so that no hook fits between:
// the one list for the rewriter and for the search of loops in sources.

#ifndef LOOPSCOPE_SUPPORT_LOOPPRAGMAS_H
#define LOOPSCOPE_SUPPORT_LOOPPRAGMAS_H

#include <string_view>

namespace loopscope {

/// Whether a pragma whose first words are \p First and \p Second may belong to
/// a loop right after it. Directives that stand alone, as `omp barrier` does,
/// are complete in themselves.
bool mayBelongToLoop(std::string_view First, std::string_view Second);

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_LOOPPRAGMAS_H
