// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How rules name loops.
//
// A rule of a selection identifies a loop within a function by a variable or by
// the loop's number. --suggest writes such names, --select reads them, and the
// warning about a rule that matches nothing lists them.

#ifndef LOOPSCOPE_INSTRUMENT_TEXT_LOOPS_H
#define LOOPSCOPE_INSTRUMENT_TEXT_LOOPS_H

#include "Instrument/Text/Places.h"

#include "clang/AST/Stmt.h"

#include <string>
#include <vector>

namespace loopscope::instrument {

bool isLoop(const clang::Stmt &S);

/// Whether \p S is a loop with a number in its function. Loops that a macro's
/// body creates, such as the `do ... while (0)` of a check, have none.
bool isNumberedLoop(const clang::Stmt &S, const Places &Where);

/// Whether \p S, a statement, is exactly one use of a macro.
bool isMacroUse(const clang::Stmt &S, const Places &Where);

/// Whether \p S, a child of \p Parent, is a statement of its own.
bool isStatementIn(const clang::Stmt &Parent, const clang::Stmt &S);

/// Whether \p S is the entire body of \p Parent, an if, an else or a loop,
/// without braces.
bool isWholeBodyOf(const clang::Stmt &Parent, const clang::Stmt &S);

/// The names of \p Loop, best first: the variables that its head declares,
/// assigns or steps; if there are none, the variables and functions that its
/// condition names.
std::vector<std::string> loopNames(const clang::Stmt &Loop);

/// The condition of a loop, or the range of a range-based one; may be null.
const clang::Expr *loopCondition(const clang::Stmt &Loop);
const clang::Stmt *loopBody(const clang::Stmt &Loop);

/// The file's text from the first token of \p S to the last, or "".
std::string sourceText(const clang::Stmt *S, const Places &Where);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_TEXT_LOOPS_H
