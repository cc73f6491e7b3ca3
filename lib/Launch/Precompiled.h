// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Precompiled headers whose source is elsewhere.
//
// Meson and others put pch.h.gch into a directory without pch.h. Only the
// compile that makes it names its source, so that one leaves a note beside it.

#ifndef LOOPSCOPE_LAUNCH_PRECOMPILED_H
#define LOOPSCOPE_LAUNCH_PRECOMPILED_H

#include "Launch/CommandLine.h"

#include <string>
#include <vector>

namespace loopscope::launch {

/// Notes the header that \p Line precompiles, if it does. A note that can't be
/// written is missed at most by later compiles, which then say so.
void noteHeader(const CommandLine &Line, const std::string &Directory);

/// An option that names a precompiled header with a note.
struct NotedHeader {
  std::size_t Index;  ///< Of the option's first word in CommandLine::Args.
  std::size_t Length; ///< In words.
  std::string Header; ///< As a compile in the directory names it.
};

/// The options of \p Line (-include, -include-pch) that lead to a precompiled
/// header only, with a note.
std::vector<NotedHeader> notedHeaders(const CommandLine &Line,
                                      const std::string &Directory);

/// \p Args with the header \p Name in place of \p Noted.
void includeHeader(std::vector<std::string> &Args, const NotedHeader &Noted,
                   const std::string &Name);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_PRECOMPILED_H
