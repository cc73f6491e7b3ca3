// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rewriter's diagnostics and their explanations.
//
// Each diagnostic about a source or a selection has a stable ID, printed in
// brackets after its text, and an entry in one table: the text, the reason, a
// program that gets it, and one that does the same without it. `--explain ID`
// prints the entry, and docs/diagnostics.md contains them all.

#ifndef LOOPSCOPE_INSTRUMENT_DIAGNOSE_DIAGNOSTICS_H
#define LOOPSCOPE_INSTRUMENT_DIAGNOSE_DIAGNOSTICS_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace clang {
class DiagnosticBuilder;
class DiagnosticsEngine;
class SourceLocation;
} // namespace clang

namespace loopscope::instrument {

/// In the order of the table.
enum class Diag {
  // Of an attribute's arguments and place.
  UnknownAttribute,
  ArgumentUnwanted,
  ArgumentMany,
  ArgumentLiteral,
  NameMissing,
  NameEmpty,
  NameLineBreak,
  SamplesEmpty,
  SamplesExpression,
  SamplesMacro,
  FlopsPlace,
  IterationsPlace,
  NotALoop,
  TwoLoopKinds,
  DrawFunction,
  IgnorePlace,
  WrongPlace,
  OnLabel,
  NoEffect,
  OutsideFunction,
  DeclarationInHead,
  NoBody,
  // Of code that can't hold a hook.
  FirstOfCode,
  Constant = FirstOfCode,
  CalledByCompiler,
  ConstexprFunction,
  ConstevalFunction,
  Kernel,
  DeviceCode,
  Coroutine,
  Module,
  Import,
  HidesHooks,
  OldStandard,
  InMacro,
  MadeText,
  JumpedInto,
  NamedLoop,
  Repeated,
  JumpsOut,
  MustTail,
  EmptyStatement,
  PragmaLoop,
  DirectivePart,
  NextToPragma,
  StatementValue,
  BrokenCode,
  NotParsed,
  ForeignErrors,
  HeaderAnnotated,
  // Of a selection.
  FirstOfSelection,
  SelectYaml = FirstOfSelection,
  SelectKind,
  SelectTarget,
  SelectLoop,
  SelectDraw,
  SelectIgnore,
  SelectIn,
  SelectName,
  SelectNameUnwanted,
  SelectSamples,
  SelectBytes,
  SelectFlops,
  SelectIterations,
  SelectPattern,
  RuleNothing,
  RuleMany,
  Count
};

struct Explanation {
  llvm::StringLiteral ID;
  /// Clang's format, or "" if the text is built elsewhere.
  llvm::StringLiteral Format;
  /// An example of the text, if Format doesn't show it.
  llvm::StringLiteral Text;
  llvm::StringLiteral Why;
  llvm::StringLiteral Bad;  ///< Gets the diagnostic.
  llvm::StringLiteral Good; ///< What to write instead.
};

const Explanation &explanation(Diag D);

/// " [id]", for the end of a text.
std::string tag(Diag D);

/// Reports \p D at \p Loc; arguments follow with <<.
clang::DiagnosticBuilder report(clang::DiagnosticsEngine &Diags,
                                clang::SourceLocation Loc, Diag D);

/// The explanation of the diagnostic \p ID, for a terminal; none if there is no
/// such diagnostic.
std::optional<std::string> explain(llvm::StringRef ID);

/// All IDs with their texts, one per line.
std::string listDiagnostics();

/// All explanations, in Markdown.
std::string explainAll();

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_DIAGNOSE_DIAGNOSTICS_H
