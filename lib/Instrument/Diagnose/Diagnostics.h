// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rewriter's diagnostics and their explanations.
//
// Each diagnostic about a source or a selection has a stable ID, printed in
// brackets after its text, and a row in one of three tables (*.def): the text,
// the reason, a program that gets it, and one that does the same without it.
// `--explain ID` prints the row, and docs/diagnostics.md contains them all.

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

/// One for each row of Annotations.def, Code.def and Selections.def, in their
/// order: LOOPSCOPE_DIAG(its name here, the fields of its Explanation).
enum class Diag {
#define LOOPSCOPE_DIAG(NAME, ...) NAME,
#include "Instrument/Diagnose/Annotations.def"
#include "Instrument/Diagnose/Code.def"
#include "Instrument/Diagnose/Selections.def"
#undef LOOPSCOPE_DIAG
};

/// The examples are programs: a test runs the rewriter on each, and expects the
/// diagnostic from the first and not from the second.
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
