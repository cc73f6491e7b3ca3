// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source and its flags, without a compiler.

#ifndef LOOPSCOPE_INSTRUMENT_PLAINJOB_H
#define LOOPSCOPE_INSTRUMENT_PLAINJOB_H

#include "Instrument/Instrument.h"

namespace loopscope::instrument {

/// The job for \p File with plain \p Flags in \p Directory. A header is C++ if
/// \p CPlusPlus or the flags' dialect say so; its name doesn't tell.
Job plainJob(const std::string &File, const std::vector<std::string> &Flags,
             const std::string &Directory, bool CPlusPlus);

/// Whether the name of \p File is that of a C++ source.
bool isCPlusPlus(llvm::StringRef File);

/// Lets \p Jobs, of one directory, find the headers that only the system's
/// compiler has, such as its <omp.h>, behind all others. Without a compiler,
/// nothing changes.
void addCompilerHeaders(std::vector<Job> &Jobs);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_PLAINJOB_H
