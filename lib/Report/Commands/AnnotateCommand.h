// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope annotate`: the source with the time of its lines.

#ifndef LOOPSCOPE_REPORT_COMMANDS_ANNOTATECOMMAND_H
#define LOOPSCOPE_REPORT_COMMANDS_ANNOTATECOMMAND_H

#include "Report/Commands/Output.h"
#include "Report/Print/Section.h"

#include <cstdint>
#include <string>

namespace loopscope {

/// A parsed command line of `loopscope annotate`.
struct AnnotateRequest {
  std::string File;  ///< a profile
  std::string Which; ///< a source file or a phase; empty: all that is known
  uint32_t Context = 3;
  Format Output = Format::Text; ///< text, html or json
  TextRequest Text;
  std::string OutputFile = "-";
};

/// Prints the listing. Returns the exit code.
int runAnnotate(const AnnotateRequest &Request);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_ANNOTATECOMMAND_H
