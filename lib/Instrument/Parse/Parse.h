// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One translation unit -> annotations.
//
// Runs Clang over one file and leaves plain values. Everything that the user is
// told about the source is printed during the parse, in Clang's style.

#ifndef LOOPSCOPE_INSTRUMENT_PARSE_PARSE_H
#define LOOPSCOPE_INSTRUMENT_PARSE_PARSE_H

#include "Instrument/Find/FindOptions.h"
#include "Instrument/Model/ParseResult.h"

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace loopscope::instrument {

struct ParseOptions {
  /// A complete Clang command line, argv[0] first, one source file.
  std::vector<std::string> Command;
  std::string Directory; ///< Where relative paths start.
  /// See Invocation::OwnDirectories.
  std::vector<std::string> OwnDirectories;
  bool IsGcc = false;   ///< See Invocation::IsGcc.
  std::string MainFile; ///< As given.
  bool RefusalsAreErrors = true;
  llvm::raw_ostream *Diagnostics = nullptr;
  bool Colour = false;
  bool ShowErrors = false; ///< Print all of clang's errors.
  FindOptions Find;
};

/// Parses and finds. Never fails hard: see ParseResult::Failed.
ParseResult parseFile(const ParseOptions &Options);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_PARSE_PARSE_H
