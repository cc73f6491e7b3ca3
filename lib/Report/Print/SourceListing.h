// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source lines with figures beside them: for a terminal, as a page and as json.

#ifndef LOOPSCOPE_REPORT_PRINT_SOURCELISTING_H
#define LOOPSCOPE_REPORT_PRINT_SOURCELISTING_H

#include "Analysis/Samples/SourceLines.h"
#include "Report/Print/Printers.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// A line to show.
struct ListedLine {
  uint32_t Number = 0;
  std::string Code; ///< safe to print, without tabs
  LineFigures Figures;
  double Heat = 0; ///< share of the run, of 1
};

/// A file, and why its code isn't shown.
struct ListedFile {
  std::string Path;
  std::string Why; ///< a sentence; empty: the code is there
};

/// Lines of one file, shown together.
struct ListedExcerpt {
  std::string Path;
  uint32_t File = 0; ///< in SourceListing::Files
  std::vector<ListedLine> Lines;
  double Heat = 0; ///< that of its hottest line
};

struct SourceListing {
  std::string Title;
  std::vector<ListedFile> Files;
  std::vector<ListedExcerpt> Excerpts; ///< the hottest first
  std::vector<std::string> Notes;
  int64_t WallNs = 0;
  uint64_t Samples = 0;
  bool HasGpu = false;
};

std::string listingText(const SourceListing &Of, const Terminal &Where);
std::string listingHtml(const SourceListing &Of);
std::string listingJson(const SourceListing &Of);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PRINT_SOURCELISTING_H
