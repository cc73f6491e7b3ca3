// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What rules call a loop.
//
// A rule of a selection says which loop of a function it means by a variable,
// or by the loop's number. --suggest writes, --select reads, and a rule that
// matches nothing lists these names.

#ifndef LOOPSCOPE_INSTRUMENT_LOOPS_H
#define LOOPSCOPE_INSTRUMENT_LOOPS_H

#include "Instrument/Places.h"

#include "clang/AST/Stmt.h"

#include <string>
#include <vector>

namespace loopscope::instrument {

bool isLoop(const clang::Stmt &S);

/// Whether S is a loop that has a number in its function. One that a macro's
/// body makes, as the `do ... while (0)` of a check, has none.
bool isNumberedLoop(const clang::Stmt &S, const Places &Where);

/// Whether S, a statement, is one use of a macro, all of it.
bool isMacroUse(const clang::Stmt &S, const Places &Where);

/// Whether S, which PARENT holds, is a statement of its own.
bool isStatementIn(const clang::Stmt &Parent, const clang::Stmt &S);

/// Whether S is all that PARENT, an if, an else or a loop, holds, without
/// braces.
bool isWholeBodyOf(const clang::Stmt &Parent, const clang::Stmt &S);

/// The names of LOOP, the best one first: the variables that its head declares,
/// sets or steps; where it has none, those and the functions that its condition
/// names.
std::vector<std::string> loopNames(const clang::Stmt &Loop);

/// The condition of a loop, or the range of one over a range; may be null.
const clang::Expr *loopCondition(const clang::Stmt &Loop);
const clang::Stmt *loopBody(const clang::Stmt &Loop);

/// What stands in the file from the first token of S to the last, or "".
std::string sourceText(const clang::Stmt *S, const Places &Where);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_LOOPS_H
