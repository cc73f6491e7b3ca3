// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words and punctuation of a C or C++ source, by its text alone: the report has
// no compiler.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_SOURCETOKENS_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_SOURCETOKENS_H

#include <cstdint>
#include <string_view>
#include <vector>

namespace loopscope {

/// A word, a number, or one character of punctuation; never empty.
struct SourceToken {
  std::string_view Text; ///< a part of the source
  uint32_t Line;
  /// A pragma that may belong to a loop (LoopPragmas.h) is between it and the
  /// token before it.
  bool HasPragma = false;
  uint32_t Conditionals = 0; ///< around it: #if, #ifdef and the like
};

/// The tokens of \p Text, which must outlive them. Comments, literals and
/// preprocessor lines are left out.
std::vector<SourceToken> sourceTokens(std::string_view Text);

/// Whether it is a word or a number.
bool isWord(const SourceToken &Token);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_SOURCETOKENS_H
