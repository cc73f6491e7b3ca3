// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the planned files of one job.
//
// The last of the stages find, refuse, plan and write.

#ifndef LOOPSCOPE_INSTRUMENT_OUTPUT_H
#define LOOPSCOPE_INSTRUMENT_OUTPUT_H

#include "Instrument/Instrument.h"
#include "Instrument/Write/Plan.h"

namespace loopscope::instrument {

/// The mirror that \p O asks for, for a compile in \p Directory.
MirrorLayout mirrorLayout(const Options &O, llvm::StringRef Directory);

/// Writes one job's files, its mirror and manifest, or its diff. \p Path is
/// that of the main file; \p Rules go into the manifest. Returns false if
/// something couldn't be written; \p Err has the reason.
class JobWriter {
public:
  JobWriter(const Job &J, std::string Path, const Options &O,
            llvm::raw_ostream &Out, llvm::raw_ostream &Err)
      : J(J), Path(std::move(Path)), O(O), Out(Out), Err(Err) {}

  bool write(const ParseResult &R, const std::vector<PlannedFile> &Plan,
             const std::vector<launch::RuleOutcome> &Rules);
  /// Passes a file through in which nothing was found.
  bool writeUnchanged();

private:
  bool writeOne(const std::vector<PlannedFile> &Plan);
  bool writeMirror(const ParseResult &R, const std::vector<PlannedFile> &Plan,
                   const std::vector<launch::RuleOutcome> &Rules);
  bool writeManifest(const ParseResult &R, const std::vector<PlannedFile> &Plan,
                     const std::vector<launch::RuleOutcome> &Rules);
  /// Writes \p Text to \p To, but never over \p Source, from which it was
  /// generated.
  bool put(llvm::StringRef To, llvm::StringRef Text,
           llvm::StringRef Source = "");

  const Job &J;
  const std::string Path;
  const Options &O;
  llvm::raw_ostream &Out;
  llvm::raw_ostream &Err;
};

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_OUTPUT_H
