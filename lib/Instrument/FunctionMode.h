//===- FunctionMode.h - Which functions --functions instruments -----------===//

#ifndef LOOPSCOPE_LIB_INSTRUMENT_FUNCTIONMODE_H
#define LOOPSCOPE_LIB_INSTRUMENT_FUNCTIONMODE_H

#include "clang/AST/Decl.h"

namespace loopscope::instrument {

/// The size below which a function without a loop is left out, unless
/// --min-size or the selection file says otherwise.
constexpr unsigned DefaultMinSize = 6;

/// What a body weighs: its statements and calls; a loop counts 10. Operators
/// and accessors (a single return of a member) weigh nothing unless they loop.
unsigned functionSize(const clang::FunctionDecl &Function,
                      const clang::Stmt &Body);

/// Why function mode leaves FUNCTION out whatever its size, in two or three
/// words for a table; "" when it can be instrumented.
llvm::StringRef whyLeftOut(const clang::FunctionDecl &Function,
                           const clang::Stmt &Body);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_LIB_INSTRUMENT_FUNCTIONMODE_H
