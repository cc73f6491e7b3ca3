//===- Safety.h - What must hold where a guard is inserted ----------------===//

#ifndef LOOPSCOPE_LIB_INSTRUMENT_SAFETY_H
#define LOOPSCOPE_LIB_INSTRUMENT_SAFETY_H

#include "Diagnostics.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace loopscope::instrument {

/// Whether a goto, a computed goto or a case label outside the statements
/// INSIDE, which belong to BODY, jumps to a label in them.
bool isJumpedInto(const clang::Stmt *Body,
                  llvm::ArrayRef<const clang::Stmt *> Inside);

/// Why the function can't hold hooks; none when it can.
/// Looks at the declaration and, for coroutines, at its body.
std::optional<Diag> whyNoHooks(const clang::FunctionDecl &Function);

/// Whether the variable's initialiser may become `(guard, initialiser)` without
/// a change of meaning: it is written `= expression`, the conversion it
/// undergoes is none, and the variable isn't usable in constant expressions.
bool takesCommaGuard(const clang::VarDecl &Variable,
                     const clang::ASTContext &Context);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_LIB_INSTRUMENT_SAFETY_H
