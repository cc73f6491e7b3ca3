// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the functions that --functions instruments.

#ifndef LOOPSCOPE_INSTRUMENT_FIND_FUNCTIONMODE_H
#define LOOPSCOPE_INSTRUMENT_FIND_FUNCTIONMODE_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace loopscope::instrument {

/// Functions without a loop whose size is below this are left out, unless
/// --min-size or the selection file says otherwise.
constexpr unsigned DefaultMinSize = 6;

/// The same for functions for which isLikelyInlined() holds: their hook also
/// costs the inlining. With 6 for all, LightGBM executes 17 % more instructions
/// with LOOPSCOPE=off; with 16 for these, 1.5 %.
constexpr unsigned DefaultMinInlineSize = 16;

/// Whether \p Function is declared inline, defined in a class, or a template,
/// and \p Body has no loop. Compilers inline such functions if they are small.
bool isLikelyInlined(const clang::FunctionDecl &Function,
                     const clang::Stmt &Body);

/// The size of a body: its statements and calls; a loop counts 10. Operators
/// and accessors (a single return of a member) have size 0 unless they contain
/// a loop.
unsigned functionSize(const clang::FunctionDecl &Function,
                      const clang::Stmt &Body);

/// Whether \p Body contains a loop, not counting lambdas in it.
bool hasLoop(const clang::Stmt &Body);

/// Whether FUNCTION is the call operator of a lambda.
bool isLambda(const clang::FunctionDecl &Function);

/// Whether a constant expression may call the lambda whose call operator is \p
/// Call: with a hook in it, that would be an error. A lambda without captures
/// is constexpr if it can be, and templates may use it in a constant expression
/// out of our sight.
bool mayBeConstant(const clang::FunctionDecl &Call);

/// Why function mode leaves \p Function out whatever its size, in two or three
/// words for a table; "" if it can be instrumented.
llvm::StringRef whyLeftOut(const clang::FunctionDecl &Function,
                           const clang::Stmt &Body);

/// Canonical declarations.
using FunctionSet = llvm::SmallPtrSet<const clang::FunctionDecl *, 8>;

/// The resolvers of ifuncs and the functions that they call: the loader runs
/// these before the program has thread-local storage, so a hook there would
/// crash it.
FunctionSet calledByLoader(clang::ASTContext &Context);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_FIND_FUNCTIONMODE_H
