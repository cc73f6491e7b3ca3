// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One job -> its annotations.
//
// The first two of the stages find, refuse, plan and write: Clang parses the
// file, and what can't be instrumented is refused while its syntax tree exists.

#ifndef LOOPSCOPE_INSTRUMENT_FINDMARKS_H
#define LOOPSCOPE_INSTRUMENT_FINDMARKS_H

#include "Instrument/Instrument.h"
#include "Instrument/Parse/Parse.h"

namespace loopscope::instrument {

/// The absolute path of \p J's file.
std::string sourcePath(const Job &J);

/// Whether the file of \p J, at \p Path, neither contains nor includes
/// annotations. Needs no parse.
bool isPlain(const Job &J, llvm::StringRef Path);

/// Parses the file of \p J as \p O says. Diagnostics go to \p Err, with what
/// they mean for the file.
ParseResult findMarks(const Job &J, const Options &O, llvm::raw_ostream &Err);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_FINDMARKS_H
