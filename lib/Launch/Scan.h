// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a source file may contain annotations.
//
// A text scan of a source and its project's headers, so that a file without
// annotations costs no parse. It may say yes although a parse would say no: a
// comment that mentions an attribute, a header that a macro names (`#include
// HEADER`). It never says no where a parse would say yes.

#ifndef LOOPSCOPE_LAUNCH_SCAN_H
#define LOOPSCOPE_LAUNCH_SCAN_H

#include "Launch/CommandLine.h"

#include <string>
#include <string_view>

namespace loopscope::launch {

/// What the text of a unit contains.
struct ScanResult {
  bool Annotations = false; ///< Something that may be an annotation.
  bool OurHeaders = false;  ///< It includes <loopscope/...>.
};

/// Whether \p Text may contain an annotation: `loopscope` before a colon, or a
/// name that starts with LOOPSCOPE_.
bool mayHoldAnnotations(std::string_view Text);

/// Scans \p S, which \p Line compiles in \p Directory, and what it includes
/// from its own directories and those of -I, -iquote and -include; other
/// directories aren't the project's. Stops at the first annotation.
ScanResult scanSource(const CommandLine &Line, const Source &S,
                      const std::string &Directory);

/// A header that \p S or its command includes and that exists in precompiled
/// form only (HEADER.gch, -include-pch); "" if there is none.
std::string onlyPrecompiledHeader(const CommandLine &Line, const Source &S,
                                  const std::string &Directory);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_SCAN_H
