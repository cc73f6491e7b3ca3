// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From Clang locations to bytes of a file.
//
// Hooks can only be inserted into text in a file. A location in a macro
// argument is such text; one in a macro's body isn't, unless the whole macro
// use is meant.

#ifndef LOOPSCOPE_INSTRUMENT_TEXT_PLACES_H
#define LOOPSCOPE_INSTRUMENT_TEXT_PLACES_H

#include "Instrument/Model/Marks.h"
#include "Instrument/Text/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/Lex/Token.h"

#include <map>

namespace loopscope::instrument {

/// A byte of a file.
struct Place {
  clang::FileID File;
  unsigned Offset = 0;
};

/// A range of one file.
struct FileRange {
  clang::FileID File;
  Range Text;
};

/// Where \p L is expanded, for people to read.
SourcePlace sourcePlace(const clang::SourceManager &SM,
                        clang::SourceLocation L);

using FileRanges = std::map<clang::FileID, std::vector<Range>>;

class Places {
public:
  /// \p MadeText is PreprocessorLog's and must outlive this object.
  Places(const clang::ASTContext &Context, const FileRanges &MadeText)
      : SM(Context.getSourceManager()), Lang(Context.getLangOpts()),
        MadeText(MadeText) {}

  /// Where the token at \p L is spelled, if that is in a file.
  std::optional<Place> spelled(clang::SourceLocation L) const;
  /// The position of \p L or of the macro use that it comes from, even if that
  /// is in an argument of another macro.
  Place used(clang::SourceLocation L) const;
  /// Where L is or is expanded.
  Place expanded(clang::SourceLocation L) const;
  /// The text of \p S without its attributes, with its semicolon; none if the
  /// semicolon comes from elsewhere.
  std::optional<FileRange> statement(const clang::Stmt *S) const;
  /// Whether \p S wants a semicolon and none follows, not even in a macro.
  bool lacksSemicolon(const clang::Stmt *S) const;
  /// statement() with its attributes.
  std::optional<FileRange> attributed(const clang::Stmt *S) const;
  /// Whether \p Block begins with something that must come first in its block:
  /// __label__, or a pragma that applies to the end of the block.
  bool hasFixedStart(const clang::CompoundStmt &Block) const;
  /// Whether a macro turns the text at \p P into a string or a part of a token.
  bool isMadeText(const Place &P) const;
  /// The text of tokens [Begin, End].
  std::optional<FileRange> tokens(clang::SourceLocation Begin,
                                  clang::SourceLocation End) const;
  /// The text that an attribute at L occupies: its list, or its macro.
  Range attribute(clang::SourceLocation L) const;
  /// The scan of a file; computed once.
  const SourceText &scan(clang::FileID File) const;
  /// The pragmas of a file that apply to a loop, even if the file has no
  /// annotation.
  const std::vector<LoopPragma> &loopPragmas(clang::FileID File) const;
  llvm::StringRef text(clang::FileID File) const;
  clang::SourceLocation location(clang::FileID File, unsigned Offset) const;
  unsigned line(const Place &P) const;
  /// The absolute path of the file where L is expanded, or "".
  std::string path(clang::SourceLocation L) const;
  /// "path:line:column" of where L is expanded.
  std::string exactly(clang::SourceLocation L) const;

private:
  /// The raw token that follows.
  clang::Token tokenBehind(const FileRange &R) const;
  clang::SourceLocation semicolonInMacro(clang::SourceLocation End) const;

  const clang::SourceManager &SM;
  const clang::LangOptions &Lang;
  const FileRanges &MadeText;
  mutable std::map<clang::FileID, SourceText> Scans;
  mutable std::map<clang::FileID, std::vector<LoopPragma>> Pragmas;
};

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_TEXT_PLACES_H
