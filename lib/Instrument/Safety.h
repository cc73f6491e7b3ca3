// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What must hold where a guard is inserted.

#ifndef LOOPSCOPE_INSTRUMENT_SAFETY_H
#define LOOPSCOPE_INSTRUMENT_SAFETY_H

#include "Instrument/Diagnostics.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace loopscope::instrument {

/// Whether a goto, a computed goto or a case label outside the statements
/// INSIDE, which belong to BODY, jumps to a label in them.
bool isJumpedInto(const clang::Stmt *Body,
                  llvm::ArrayRef<const clang::Stmt *> Inside);

/// Whether a computed goto or an asm goto among INSIDE, which belong to BODY,
/// may leave them: such jumps destroy nothing, or don't compile.
bool mayJumpOut(const clang::Stmt *Body,
                llvm::ArrayRef<const clang::Stmt *> Inside);

/// Whether a return among INSIDE must be a tail call, which nothing may follow.
bool holdsMustTail(llvm::ArrayRef<const clang::Stmt *> Inside);

/// Why the function can't hold hooks; none when it can.
/// Looks at the declaration and, for coroutines, at its body.
std::optional<Diag> whyNoHooks(const clang::FunctionDecl &Function);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SAFETY_H
