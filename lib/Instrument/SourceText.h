// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a file's tokens say before any parsing.
//
// One raw-lexer pass over a file's text: attribute lists, uses of annotation
// macros, pragmas and braces. It decides which function bodies can be skipped,
// which characters an attribute occupies, and which annotations the parser
// should have seen.

#ifndef LOOPSCOPE_INSTRUMENT_SOURCETEXT_H
#define LOOPSCOPE_INSTRUMENT_SOURCETEXT_H

#include "Instrument/Model.h"

#include "clang/Basic/LangOptions.h"

namespace loopscope::instrument {

/// `loopscope::phase("x")` in an attribute list.
struct AttributeEntry {
  Range Text; ///< The entry without its comma.
  Range Name; ///< The name behind the namespace.
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

/// A `#pragma` that wants a loop behind it.
struct LoopPragma {
  Range Text;
  unsigned NextToken = 0; ///< Offset of the token behind it.
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
  /// Whether an annotation may stand between DECLARATION (an offset in the
  /// declarator of a function) and the end of its body. May say yes wrongly.
  bool mayAnnotateBody(unsigned Declaration) const;
  /// The attribute list that holds OFFSET.
  const AttributeList *listAt(unsigned Offset) const;
};

/// Whether TEXT is worth a scan: names our namespace or macros.
bool mentionsLoopscope(llvm::StringRef Text);

/// Where the last #include directive of TEXT stands, or 0.
unsigned lastInclude(llvm::StringRef Text);

/// Whether an #include directive may stand between the declarator of a function
/// at DECLARATION and the end of its body. May say yes wrongly.
bool mayIncludeInBody(llvm::StringRef Text, unsigned Declaration);

/// Lexes TEXT, which must be followed by a NUL as in a MemoryBuffer.
SourceText scanText(llvm::StringRef Text, const clang::LangOptions &Lang);

/// Why EXPRESSION can't be a samples expression, or "": it must lex, be
/// balanced, and hold no comment, line break, `;` or `#`. NAMES receives its
/// identifiers, HASCOMMA whether a macro argument made of it needs parentheses.
std::string checkExpression(llvm::StringRef Expression,
                            const clang::LangOptions &Lang,
                            std::vector<std::string> &Names, bool &HasComma);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SOURCETEXT_H
