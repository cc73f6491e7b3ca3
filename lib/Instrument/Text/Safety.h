// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions for inserting a guard.

#ifndef LOOPSCOPE_INSTRUMENT_TEXT_SAFETY_H
#define LOOPSCOPE_INSTRUMENT_TEXT_SAFETY_H

#include "Instrument/Diagnose/Diagnostics.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace loopscope::instrument {

/// Whether a goto, a computed goto or a case label outside the statements \p
/// Inside, which belong to \p Body, jumps to a label in them.
bool isJumpedInto(const clang::Stmt *Body,
                  llvm::ArrayRef<const clang::Stmt *> Inside);

/// Whether a break or continue in \p Inside names \p Label (C2y).
bool isNamed(const clang::LabelDecl *Label, const clang::Stmt *Inside);

/// Whether a computed goto or an asm goto in \p Inside, which belong to \p
/// Body, may leave them: such jumps destroy nothing, or don't compile.
bool mayJumpOut(const clang::Stmt *Body,
                llvm::ArrayRef<const clang::Stmt *> Inside);

/// Whether a return in \p Inside must be a tail call, which nothing may follow.
bool holdsMustTail(llvm::ArrayRef<const clang::Stmt *> Inside);

/// Why the function can't hold hooks; none if it can. Examines the declaration
/// and, for coroutines, the body.
std::optional<Diag> whyNoHooks(const clang::FunctionDecl &Function);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_TEXT_SAFETY_H
