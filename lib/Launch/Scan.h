// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// May a source file hold annotations?.
//
// A text scan of a source and its project's headers, so that a file without
// annotations costs no parse. It may say yes where a parse says no (a comment
// that names an attribute); the other way round only where an annotated header
// is included through a macro (`#include HEADER`).

#ifndef LOOPSCOPE_LAUNCH_SCAN_H
#define LOOPSCOPE_LAUNCH_SCAN_H

#include "Launch/CommandLine.h"

#include <string>
#include <string_view>

namespace loopscope::launch {

/// What the text of a unit holds.
struct ScanResult {
  bool Annotations = false; ///< Something that may be an annotation.
  bool OurHeaders = false;  ///< It includes <loopscope/...>.
};

/// Whether TEXT may hold an annotation: `loopscope` before a colon or a name
/// that starts with LOOPSCOPE_.
bool mayHoldAnnotations(std::string_view Text);

/// Scans S, which LINE compiles in DIRECTORY, and what it includes from its
/// own directories and those of -I, -iquote and -include; other directories
/// aren't the project's. Stops at the first annotation.
ScanResult scanSource(const CommandLine &Line, const Source &S,
                      const std::string &Directory);

/// A header that S includes, or the command for it, and that is there in
/// precompiled form only (HEADER.gch, -include-pch); "": none.
std::string onlyPrecompiledHeader(const CommandLine &Line, const Source &S,
                                  const std::string &Directory);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_SCAN_H
