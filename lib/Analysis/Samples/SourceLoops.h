// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the loops of a C or C++ source are, by its text alone: the report has
// no compiler.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_SOURCELOOPS_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_SOURCELOOPS_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope {

/// A for, while or do.
struct SourceLoop {
  uint32_t First = 0; ///< line of its keyword
  uint32_t Last = 0;  ///< line of its end
  /// The words in its head: variables and bounds, and types unless they are a
  /// variable's. Of objects whose member counts iterations, the member alone.
  std::vector<std::string> Names;
  std::string Variable; ///< that a for's head sets; empty: none
  /// What each pass adds 1 to, by a name that counts iterations, if the head
  /// sets no variable and calls nothing; else empty.
  std::string Counter;
  bool HasPragma = false; ///< right before it
};

/// What the text shows of loops.
struct SourceBlocks {
  std::vector<SourceLoop> Loops; ///< an outer one before those in it
  /// Lines of macros that a statement follows without a semicolon, and that may
  /// make loops of it: `FOR_EACH(x) {`.
  std::vector<uint32_t> Macros;
  /// How many #if and the like are around the code from a line on.
  std::map<uint32_t, uint32_t> Conditionals;
};

/// Preprocessor lines are ignored, so loops that macros make aren't found.
SourceBlocks sourceBlocks(std::string_view Text);

/// Its loops.
std::vector<SourceLoop> sourceLoops(std::string_view Text);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_SOURCELOOPS_H
