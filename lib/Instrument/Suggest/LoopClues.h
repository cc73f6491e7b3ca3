// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop's variables and shape say about it.
//
// Calls whose names mean nothing leave these. Each clue is a row of a table in
// LoopClues.cpp: what holds, what that is worth, and the reason that the
// selection gives for it. GuessedLoops.cpp adds up the rows.

#ifndef LOOPSCOPE_INSTRUMENT_SUGGEST_LOOPCLUES_H
#define LOOPSCOPE_INSTRUMENT_SUGGEST_LOOPCLUES_H

#include "Instrument/Suggest/ScopeRoles.h"

namespace loopscope::instrument {

/// How likely a loop is over batches.
struct Clues {
  int Score = 0;
  std::string Why; ///< The best clue's reason.
};

Clues cluesOf(const Program &P, ScopeId Loop);

/// Whether the variable of \p Loop counts epochs, or its bound is a number of
/// them.
bool goesOverEpochs(const Program &P, ScopeId Loop);

/// Whether names in the head of \p Loop say that it validates.
bool namesValidation(const Program &P, ScopeId Loop);

/// What a scope itself does: nothing that takes time, arithmetic, or a call of
/// the program's own functions that may train.
enum class ScopeWork { None, Arithmetic, Calls };
ScopeWork workIn(const Program &P, ScopeId S);
/// The most of \p Loop and the loops in it.
ScopeWork workOf(const Program &P, ScopeId Loop);

/// Whether \p Call may do a part of the work: it isn't a function of a system's
/// library, and its name isn't one of those that print, save or prepare.
bool mayWork(const SeenCall &Call);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SUGGEST_LOOPCLUES_H
