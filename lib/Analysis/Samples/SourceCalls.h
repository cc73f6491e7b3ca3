// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lines of a C or C++ source call, by its text alone.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_SOURCECALLS_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_SOURCECALLS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope {

/// A name with an argument list, as in `Net.forward(x)`: "forward".
struct SourceCall {
  std::string Name;
  uint32_t Line = 0;
  /// The call is no statement or declaration of its own, nor a part of one: it
  /// is in the head of a loop or branch, or in what is returned.
  bool IsInHead = false;
  bool IsDefinition = false; ///< a body follows the arguments
};

/// The calls in \p Text, in its order. Declarations with an argument list look
/// like calls, and calls that macros make aren't found.
std::vector<SourceCall> sourceCalls(std::string_view Text);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_SOURCECALLS_H
