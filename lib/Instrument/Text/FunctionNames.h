// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions' names as rules of selections and reports have them.

#ifndef LOOPSCOPE_INSTRUMENT_TEXT_FUNCTIONNAMES_H
#define LOOPSCOPE_INSTRUMENT_TEXT_FUNCTIONNAMES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <string>
#include <utility>

namespace loopscope::instrument {

/// The qualified name used in sites and matched by rules.
std::string functionName(const clang::FunctionDecl &Function);

/// The parameter types of \p Function: "(int, const Tensor &)".
std::string parameterTypes(const clang::FunctionDecl &Function);

/// The names of a call's callee: qualified, if it is known, and without scope.
std::pair<std::string, std::string> calleeNames(const clang::CallExpr &Call);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_TEXT_FUNCTIONNAMES_H
