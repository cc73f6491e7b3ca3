// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records what the preprocessor sees.

#ifndef LOOPSCOPE_INSTRUMENT_TEXT_INCLUSIONS_H
#define LOOPSCOPE_INSTRUMENT_TEXT_INCLUSIONS_H

#include "Instrument/Model/ParseResult.h"

#include "clang/Lex/Preprocessor.h"

namespace loopscope::instrument {

/// Filled while a file is preprocessed.
struct PreprocessorLog {
  /// Every entry of every file that isn't a system header.
  std::vector<clang::FileID> Files;
  /// By absolute path of the including file.
  std::map<std::string, std::vector<Inclusion>> Inclusions;
  std::vector<std::string> Includes; ///< Absolute; not sorted, may repeat.
  std::map<clang::FileID, std::vector<Range>> Skipped;
  /// Arguments that a macro turns into strings or parts of tokens, where they
  /// are spelled in files that aren't system headers.
  std::map<clang::FileID, std::vector<Range>> MadeText;
  /// Whether some macro of the project expands to an annotation.
  bool HasWrappers = false;
  /// Where the project defines a macro with the name of something that hooks
  /// need and that has no other spelling; and that name.
  clang::SourceLocation HidesHooks; ///< Invalid: nowhere.
  std::string HiddenName;

  /// Whether a file that isn't a system header uses a macro that may expand to
  /// the attribute `cleanup`.
  bool UsesCleanup = false;

  /// Whether the macros of <loopscope/annotate.h> are defined anywhere.
  bool HasMacros = false;

  bool isSkipped(clang::FileID File, unsigned Offset) const;
};

/// Fills in \p Log, which must outlive the work of \p PP.
void watchPreprocessor(clang::Preprocessor &PP, PreprocessorLog &Log);

/// A file's absolute path, without dots.
std::string absolutePath(clang::FileEntryRef File);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_TEXT_INCLUSIONS_H
