// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's tree -> ParseResult.
//
// Finds the annotations of a parsed unit, checks what the parser didn't hand
// over, decides which of Clang's errors concern annotated code, and leaves
// plain values.

#ifndef LOOPSCOPE_INSTRUMENT_PARSE_COLLECT_H
#define LOOPSCOPE_INSTRUMENT_PARSE_COLLECT_H

#include "Instrument/Parse/Listener.h"
#include "Instrument/Parse/Parse.h"
#include "Instrument/Text/Inclusions.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace loopscope::instrument {

/// Fills \p Result while Clang's structures exist.
void collect(clang::ASTContext &Context, const FindOptions &Find,
             const PreprocessorLog &Log, Listener &L, ParseResult &Result);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_PARSE_COLLECT_H
