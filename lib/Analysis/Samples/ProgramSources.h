// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that a program was compiled from: where they are, and whether their
// text is still the one that ran.
//
//   the program's own list (CompiledSource.h)   paths and hashes
//   debug information                           whole paths, no hashes

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_PROGRAMSOURCES_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_PROGRAMSOURCES_H

#include "Run/Model/Run.h"
#include "Support/CompiledSource.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace loopscope {

/// What the program's file says about the text that ran.
enum class ProgramState {
  Known,   ///< it lists files, and is the one that ran
  Rebuilt, ///< it lists files, but another build of it may have run
  Silent,  ///< it lists none: it was built without the launcher
  Missing  ///< it can't be read
};

/// Gives each file one path: the compiler may have had a path relative to its
/// directory, while debug information has the full one. The run's directory
/// says nothing about sources.
class ProgramSources {
public:
  /// Of the program of \p R. \p Whole has paths from debug information.
  ProgramSources(const Run &R, std::set<std::string> Whole);

  /// The path of the file that the compiler called \p Name; the name itself if
  /// nobody knows where it is.
  std::string pathOf(const std::string &Name) const;

  /// The hashes (hashOf) of the text at \p Path when objects were compiled from
  /// it, usually one; none if that isn't known.
  std::set<uint64_t> hashesAt(const std::string &Path) const;

  ProgramState state() const { return State; }

private:
  void add(const CompiledSource &Source);

  std::filesystem::path Program;
  std::set<std::string> Whole;
  ProgramState State = ProgramState::Missing;
  std::map<std::string, std::set<std::string>> ByName;
  std::map<std::string, std::set<uint64_t>> Hashes;
};

/// Whether the file at \p Path was changed after \p R had begun; false if
/// either time isn't known.
bool isNewerThan(const std::string &Path, const Run &R);

/// Whether a file's text is the one that ran.
enum class TextState {
  Compiled,   ///< it is
  Rebuilt,    ///< it is that of a program that may have been built later
  Unlisted,   ///< the program lists other files, but not this one
  Silent,     ///< the program lists none
  NoProgram,  ///< the program can't be read
  Renumbered, ///< it may be, but a #line in it changes the numbers of lines
  Changed,    ///< it isn't
  Missing,    ///< there is no such file, or it can't be read
  Unplaced    ///< its path is relative, and nothing tells to what
};

/// A file's text; empty from Renumbered on.
struct CheckedText {
  TextState State = TextState::Missing;
  std::string Text;
};

/// Reads the file at \p Path, whose hashes were \p Hashes when the objects of a
/// program in state \p Program were compiled.
CheckedText checkedText(const std::string &Path,
                        const std::set<uint64_t> &Hashes, ProgramState Program);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_PROGRAMSOURCES_H
