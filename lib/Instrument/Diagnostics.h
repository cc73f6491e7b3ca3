// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rewriter says, and explains.
//
// Each diagnostic about a source or a selection has a stable ID, printed in
// brackets behind its text, and an entry in one table: the text, why, a program
// that gets it and one that says the same and doesn't. `--explain ID` prints
// the entry, and docs/diagnostics.md is all of them.

#ifndef LOOPSCOPE_INSTRUMENT_DIAGNOSTICS_H
#define LOOPSCOPE_INSTRUMENT_DIAGNOSTICS_H

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
  HidesHooks,
  OldStandard,
  InMacro,
  MadeText,
  JumpedInto,
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
  /// Clang's format, or "" where the text is made elsewhere.
  llvm::StringLiteral Format;
  /// What the text looks like, where Format can't tell.
  llvm::StringLiteral Text;
  llvm::StringLiteral Why;
  llvm::StringLiteral Bad;  ///< Gets the diagnostic.
  llvm::StringLiteral Good; ///< What to write instead.
};

const Explanation &explanation(Diag D);

/// " [id]", for the end of a text.
std::string tag(Diag D);

/// Reports D at LOC; arguments follow with <<.
clang::DiagnosticBuilder report(clang::DiagnosticsEngine &Diags,
                                clang::SourceLocation Loc, Diag D);

/// The explanation of the diagnostic called ID, to be read in a terminal; none
/// where there is no such diagnostic.
std::optional<std::string> explain(llvm::StringRef ID);

/// All IDs with their texts, one a line.
std::string listDiagnostics();

/// All explanations, in Markdown.
std::string explainAll();

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_DIAGNOSTICS_H
