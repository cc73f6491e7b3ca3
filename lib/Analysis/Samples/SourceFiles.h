// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and calls in the source files of a program, each file read once.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_SOURCEFILES_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_SOURCEFILES_H

#include "Analysis/Samples/SourceCalls.h"
#include "Analysis/Samples/SourceLoops.h"

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace loopscope {

/// How a line calls a function.
struct CallInSource {
  /// The function's plain name as the line has it, which for the system's may
  /// be a public name of it; empty: no call there has one.
  std::string Name;
  bool HasCalls = false; ///< the line calls something, by whatever name
  bool IsInHead = false; ///< all its calls on the line are (SourceCall)
  /// More calls of that name follow the beginning of the function that holds
  /// this one, in it or after it.
  bool HasOthers = false;
};

/// The sources of a program, without those that are newer than it: their lines
/// aren't the program's.
class SourceFiles {
public:
  explicit SourceFiles(const std::string &Program);

  /// The loops around \p Line of \p File, the outermost first.
  std::vector<SourceLoop> around(const std::string &File, uint32_t Line);

  /// The number of \p Loop, from 1, among those of the function that begins at
  /// \p Line; 0: macros before it may make loops, too, or some loops may not be
  /// compiled.
  uint32_t numberOf(const std::string &File, uint32_t Line,
                    const SourceLoop &Loop);

  /// The variable of \p Loop, if it is the only loop with that variable in the
  /// function that begins at \p Line.
  std::string onlyVariable(const std::string &File, uint32_t Line,
                           const SourceLoop &Loop);
  /// The loop of these lines, as the source has it.
  SourceLoop loopAt(const std::string &File, uint32_t First, uint32_t Last);
  /// How many loops are in \p Loop, without those in them.
  size_t loopsIn(const std::string &File, const SourceLoop &Loop);
  /// Whether \p File defines several functions with the plain name of
  /// \p Function.
  bool hasOverloads(const std::string &Function, const std::string &File);

  /// Whether \p Loop waits for other threads by a call.
  bool waits(const std::string &File, const SourceLoop &Loop);

  /// Whether \p Loop waits for the end of other threads or their results.
  bool joins(const std::string &File, const SourceLoop &Loop);

  /// How \p Line calls \p Function, a qualified name. The function that calls
  /// it begins at \p FirstLine. \p IsSystem: it is the system's, which may
  /// have another name there.
  CallInSource callOf(const std::string &Function, const std::string &File,
                      uint32_t Line, uint32_t FirstLine, bool IsSystem);

  /// Whether the definition of \p Function, a qualified name, is at \p Line as
  /// it is, and doesn't come from a macro.
  bool hasDefinition(const std::string &Function, const std::string &File,
                     uint32_t Line);

private:
  bool callsOneOf(std::initializer_list<std::string_view> Names,
                  const std::string &File, const SourceLoop &Loop);
  struct Content {
    SourceBlocks Blocks;
    std::vector<SourceCall> Calls;
  };
  const Content &of(const std::string &File);

  std::filesystem::file_time_type Linked;
  bool IsKnown = false;
  std::map<std::string, Content> Known;
};

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_SOURCEFILES_H
