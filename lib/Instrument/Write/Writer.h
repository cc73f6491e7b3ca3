// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewritten text -> files.
//
// The prelude, whole-file writes that never leave half a file, and diffs.

#ifndef LOOPSCOPE_INSTRUMENT_WRITE_WRITER_H
#define LOOPSCOPE_INSTRUMENT_WRITE_WRITER_H

#include "Instrument/Write/Edits.h"
#include "Support/Result.h"

#include <optional>

namespace loopscope::instrument {

/// \p Text after the two lines that declare the hooks and restore the file's
/// name and line numbers. A byte order mark stays first; line ends match the
/// text's.
std::string withPrelude(llvm::StringRef Text, llvm::StringRef Spelling,
                        bool Hooks);

/// Writes \p Path like writeOutputFile(), creating directories. A file that
/// already contains \p Text is left alone, with its time stamp.
std::optional<Error> writeFile(llvm::StringRef Path, llvm::StringRef Text);

/// A unified diff with three lines of context; "" if the texts are equal. Lines
/// are matched one to one: a rewrite only adds lines at the start.
std::string unifiedDiff(llvm::StringRef Name, llvm::StringRef Before,
                        llvm::StringRef After);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_WRITE_WRITER_H
