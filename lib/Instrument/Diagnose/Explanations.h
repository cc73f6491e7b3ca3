// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of diagnostics, in three parts that follow enum Diag.
//
// The examples are programs: a test runs the rewriter on each, and expects the
// diagnostic from the first and not from the second.

#ifndef LOOPSCOPE_INSTRUMENT_DIAGNOSE_EXPLANATIONS_H
#define LOOPSCOPE_INSTRUMENT_DIAGNOSE_EXPLANATIONS_H

#include "Instrument/Diagnose/Diagnostics.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>

namespace loopscope::instrument {

/// How many diagnostics there are from FIRST on and before END.
constexpr std::size_t countOf(Diag First, Diag End) {
  return static_cast<std::size_t>(End) - static_cast<std::size_t>(First);
}

llvm::ArrayRef<Explanation> annotationExplanations();
llvm::ArrayRef<Explanation> codeExplanations();
llvm::ArrayRef<Explanation> selectionExplanations();

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_DIAGNOSE_EXPLANATIONS_H
