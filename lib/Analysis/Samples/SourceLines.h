// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known about lines of source: spans that begin there, and samples of
// processor time.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_SOURCELINES_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_SOURCELINES_H

#include "Analysis/Samples/ProgramSources.h"
#include "Run/Model/Run.h"
#include "Support/Result.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace loopscope {

/// Figures of one line.
struct LineFigures {
  bool HasSpans = false; ///< a phase, loop or function is marked here
  uint64_t Calls = 0;    ///< finished spans
  int64_t TimeNs = 0;    ///< of them, outermost ones alone
  /// Of them, without what their children took. A loop's has the draws, which
  /// its header makes, and none of its body, which has other lines.
  int64_t SelfNs = 0;
  int64_t GpuNs = 0;    ///< devices were busy with what they launched
  uint64_t Samples = 0; ///< in which the line was the innermost
  /// The node (of the run) with the longest spans or, in a line without spans,
  /// with the most samples; None: no node has any.
  uint32_t Node = None;
};

/// The lines of a file about which something is known.
struct SourceFile {
  /// Absolute, or as the compiler had it if nobody knows where it was.
  std::string Path;
  std::set<uint64_t> Hashes; ///< ProgramSources::hashesAt()
  std::map<uint32_t, LineFigures> Lines;
  int64_t TimeNs = 0; ///< of its line with the most
  uint64_t Samples = 0;
};

struct SourceFigures {
  /// The file with the most samples first, then the one with the most time.
  std::vector<SourceFile> Files;
  ProgramState Program = ProgramState::Missing;
  /// The paths of files that sites name otherwise.
  std::map<std::string, std::string> PathOfName;
  int64_t WallNs = 0;   ///< what shares of time are shares of
  uint64_t Samples = 0; ///< what shares of samples are shares of
  bool HasGpu = false;
};

/// The figures of a file (given its path or the end of it), of a phase (given
/// its name: its own spans, and the samples in it and below it), or of
/// everything if \p Which is empty.
Result<SourceFigures> sourceFigures(const Run &R, const std::string &Which);

/// Lines First to Last of a file, shown together.
struct SourceExcerpt {
  uint32_t First = 0;
  uint32_t Last = 0;
  double Heat = 0; ///< the share of its hottest line, of 1
};

/// The lines of \p File with \p Context lines around each, hottest excerpt
/// first. No line is after \p LineCount.
std::vector<SourceExcerpt> excerptsOf(const SourceFile &File,
                                      const SourceFigures &Of, uint32_t Context,
                                      uint32_t LineCount);

/// A line's share of the run, 0 to 1: that of its samples or of its own time,
/// whichever is larger. A loop's header is as hot as its draws.
double heatOf(const LineFigures &Line, const SourceFigures &Of);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_SOURCELINES_H
