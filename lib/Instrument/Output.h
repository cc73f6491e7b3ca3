// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The planned files of one job -> where they go.
//
// The last of the stages find, refuse, plan and write.

#ifndef LOOPSCOPE_INSTRUMENT_OUTPUT_H
#define LOOPSCOPE_INSTRUMENT_OUTPUT_H

#include "Instrument/Instrument.h"
#include "Instrument/Plan.h"

namespace loopscope::instrument {

/// The folder of the mirror that O asks for, as an absolute path; "" where it
/// asks for none.
std::string mirrorRoot(const Options &O);

/// Writes one job's files, its mirror and manifest or its diff. PATH is that of
/// the main file; RULES go into the manifest. False where something could not
/// be written; ERR says what.
class JobWriter {
public:
  JobWriter(const Job &J, std::string Path, const Options &O,
            llvm::raw_ostream &Out, llvm::raw_ostream &Err)
      : J(J), Path(std::move(Path)), O(O), Out(Out), Err(Err) {}

  bool write(const ParseResult &R, const std::vector<PlannedFile> &Plan,
             const std::vector<launch::RuleOutcome> &Rules);
  /// Passes the file through, in which nothing was found.
  bool writeUnchanged();

private:
  bool writeOne(const std::vector<PlannedFile> &Plan);
  bool writeMirror(const ParseResult &R, const std::vector<PlannedFile> &Plan,
                   const std::vector<launch::RuleOutcome> &Rules);
  bool writeManifest(const ParseResult &R, const std::vector<PlannedFile> &Plan,
                     const std::vector<launch::RuleOutcome> &Rules);
  /// Writes TEXT to TO, but never over SOURCE, from which it was made.
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
