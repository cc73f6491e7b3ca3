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

/// The lines of \p Of with \p Context lines around each. Notes say what
/// couldn't be read, and which files are newer than the run.
SourceListing listSource(const Run &P, const SourceFigures &Of,
                         std::string Title, uint32_t Context);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_LISTSOURCE_H
