// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Figures by line, with the code of the line if its file is available: what
// `loopscope annotate` and the page show.

#ifndef LOOPSCOPE_REPORT_VIEWS_LISTSOURCE_H
#define LOOPSCOPE_REPORT_VIEWS_LISTSOURCE_H

#include "Analysis/Samples/SourceLines.h"
#include "Report/Print/SourceListing.h"
#include "Run/Model/Run.h"

#include <cstdint>
#include <string>

namespace loopscope {

/// Of which files the code is shown.
enum class CodeShown {
  UnlessChanged, ///< all but those known to have changed: for who has the files
  IfCompiled,    ///< those known to be the ones that were compiled
  None
};

/// The lines of \p Of with \p Context lines around each, where there is code;
/// else those with figures alone. Notes say what couldn't be read, and which
/// files are newer than the run.
SourceListing listSource(const Run &R, const SourceFigures &Of,
                         std::string Title, uint32_t Context, CodeShown Code);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_LISTSOURCE_H
