// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a file's tokens tell before any parsing.
//
// One raw-lexer pass over a file's text finds attribute lists, uses of
// annotation macros, pragmas and braces. It decides which function bodies can
// be skipped, which characters an attribute occupies, and which annotations the
// parser should have seen.

#ifndef LOOPSCOPE_INSTRUMENT_TEXT_SOURCETEXT_H
#define LOOPSCOPE_INSTRUMENT_TEXT_SOURCETEXT_H

#include "Instrument/Model/Model.h"

#include "clang/Basic/LangOptions.h"

namespace loopscope::instrument {

/// `loopscope::phase("x")` in an attribute list.
struct AttributeEntry {
  Range Text; ///< The entry without its comma.
  Range Name; ///< The name after the namespace.
  bool Ours = false;
  bool Known = false; ///< Ours, with a name that exists.
};

/// `[[ ... ]]`.
struct AttributeList {
  Range Text;
  bool Using = false;
  bool BeforePragma = false; ///< A #pragma follows.
  bool InMacro = false;      ///< Stands in a #define.
  std::vector<AttributeEntry> Entries;
  bool ours() const;
};

/// `LOOPSCOPE_PHASE("x")`.
struct MacroUse {
  Range Text; ///< With its arguments.
  bool BeforePragma = false;
  bool InMacro = false;
};

/// A `#pragma` that applies to the loop after it.
struct LoopPragma {
  Range Text;
  unsigned NextToken = 0; ///< Offset of the token after it.
  /// Other directives stand before that token, so some compile or pass of a
  /// compile may not see the pragma.
  bool IsConditional = false;
};

struct Brace {
  unsigned Offset = 0;
  bool Open = false;
  bool Continues = false; ///< A closing one with `,`, `{` or `)` behind.
};

struct SourceText {
  std::vector<AttributeList> Lists;
  std::vector<MacroUse> Macros;
  std::vector<LoopPragma> Pragmas;
  std::vector<Brace> Braces;
  std::optional<unsigned> Module; ///< Where a module declaration starts.

  bool hasAnnotations() const;
  /// Whether there may be an annotation between \p Declaration, an offset in a
  /// function's declarator, and the end of its body. May be wrong if it returns
  /// true.
  bool mayAnnotateBody(unsigned Declaration) const;
  /// The attribute list that contains \p Offset.
  const AttributeList *listAt(unsigned Offset) const;
};

/// Whether \p Text is worth a scan: it mentions our namespace or macros.
bool mentionsLoopscope(llvm::StringRef Text);

/// Whether \p Text, which must be followed by a NUL, seems to have the
/// attribute `cleanup`.
bool namesCleanup(llvm::StringRef Text, const clang::LangOptions &Lang);

/// The position of the last #include directive in \p Text, or 0.
unsigned lastInclude(llvm::StringRef Text);

/// Whether there may be an #include directive between a function's declarator
/// at \p Declaration and the end of its body. May be wrong if it returns true.
bool mayIncludeInBody(llvm::StringRef Text, unsigned Declaration);

/// Lexes \p Text, which must be followed by a NUL as in a MemoryBuffer.
SourceText scanText(llvm::StringRef Text, const clang::LangOptions &Lang);

/// Why \p Expression can't be a samples expression, or "": it must lex, be
/// balanced, and contain no comment, line break, `;` or `#`. \p Names receives
/// its identifiers but those of members and namespaces, which no declaration of
/// a variable can mean, \p HasComma whether it needs parentheses as a macro
/// argument.
std::string checkExpression(llvm::StringRef Expression,
                            const clang::LangOptions &Lang,
                            std::vector<std::string> &Names, bool &HasComma);

/// Whether \p Expression, which checkExpression accepts, assigns, increments,
/// decrements or awaits something outside of calls' own code.
bool changesSomething(llvm::StringRef Expression,
                      const clang::LangOptions &Lang);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_TEXT_SOURCETEXT_H
