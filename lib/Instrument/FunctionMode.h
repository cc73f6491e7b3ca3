// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions --functions instruments.

#ifndef LOOPSCOPE_INSTRUMENT_FUNCTIONMODE_H
#define LOOPSCOPE_INSTRUMENT_FUNCTIONMODE_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace loopscope::instrument {

/// The size below which a function without a loop is left out, unless
/// --min-size or the selection file says otherwise.
constexpr unsigned DefaultMinSize = 6;

/// The same for functions that isLikelyInlined() holds for: a hook costs the
/// inlining, too. With 6 for all, LightGBM executes 17 % more instructions
/// with LOOPSCOPE=off; with 16 for these, 1.5 %.
constexpr unsigned DefaultMinInlineSize = 16;

/// Whether FUNCTION is declared inline, defined in a class, or a template, and
/// BODY has no loop. Compilers inline such functions if they are small.
bool isLikelyInlined(const clang::FunctionDecl &Function,
                     const clang::Stmt &Body);

/// What a body weighs: its statements and calls; a loop counts 10. Operators
/// and accessors (a single return of a member) weigh nothing unless they loop.
unsigned functionSize(const clang::FunctionDecl &Function,
                      const clang::Stmt &Body);

/// Whether BODY has a loop, that of a lambda in it apart.
bool hasLoop(const clang::Stmt &Body);

/// Whether FUNCTION is the call operator of a lambda.
bool isLambda(const clang::FunctionDecl &Function);

/// Whether a constant expression may call the lambda whose operator CALL is:
/// with a hook in it, that would be an error. A lambda that captures nothing
/// is constexpr whenever it can be, and templates may call it in one unseen.
bool mayBeConstant(const clang::FunctionDecl &Call);

/// Why function mode leaves FUNCTION out whatever its size, in two or three
/// words for a table; "" when it can be instrumented.
llvm::StringRef whyLeftOut(const clang::FunctionDecl &Function,
                           const clang::Stmt &Body);

/// Canonical declarations.
using FunctionSet = llvm::SmallPtrSet<const clang::FunctionDecl *, 8>;

/// The resolvers of ifuncs and what they call: the loader runs them before the
/// program has its thread-local storage, so that a hook there would end it.
FunctionSet calledByLoader(clang::ASTContext &Context);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_FUNCTIONMODE_H
