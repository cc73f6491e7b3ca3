// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One translation unit -> annotations.
//
// Runs Clang over one file and leaves plain values. Everything that the user is
// told about the source is printed during the parse, in Clang's style.

#ifndef LOOPSCOPE_INSTRUMENT_PARSE_H
#define LOOPSCOPE_INSTRUMENT_PARSE_H

#include "Instrument/Manifest.h"
#include "Instrument/Marks.h"
#include "Instrument/Model.h"
#include "Instrument/Selection.h"
#include "Instrument/TrainingLoops.h"
#include "Support/HookWorth.h"

#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>

namespace loopscope::instrument {

/// What to find besides attributes.
struct FindOptions {
  const Selection *Select = nullptr;
  bool Functions = false;     ///< Function mode.
  unsigned MinSize = 0;       ///< Of function mode.
  unsigned MinInlineSize = 0; ///< The same, where isLikelyInlined().
  const JudgedFunctions *Earlier = nullptr; ///< See Options::Earlier.
  bool Suggest = false; ///< Only ParseResult::Bodies are wanted.
};

struct ParseOptions {
  /// A complete Clang command line, argv[0] first, one source file.
  std::vector<std::string> Command;
  std::string Directory; ///< Where relative paths start.
  /// See Invocation::OwnDirectories.
  std::vector<std::string> OwnDirectories;
  std::string MainFile; ///< As given.
  bool RefusalsAreErrors = true;
  llvm::raw_ostream *Diagnostics = nullptr;
  bool Colour = false;
  bool ShowErrors = false; ///< Print all of clang's errors.
  FindOptions Find;
};

/// An include directive of a project file, and where it leads.
struct Inclusion {
  unsigned Line = 0;
  Range Keyword;           ///< `include`, `include_next`.
  Range Operand;           ///< With quotes, or the macro that gives them.
  std::string Target;      ///< Absolute path.
  std::string Name;        ///< Of the target, as a plain compile has it.
  bool MoveBreaks = false; ///< Found through the includer's own directory.
  bool IsUnit = false;     ///< An imported header unit, which no copy replaces.
};

/// The result of a parse. A unit that failed has no annotations.
struct ParseResult {
  Unit Code;
  std::vector<FoundMark> Marks;  ///< All, also in a unit that failed.
  std::vector<Refusal> Refusals; ///< In the order in which they were reported.
  /// What the files of Code include, by absolute path of the includer.
  std::map<std::string, std::vector<Inclusion>> Inclusions;
  std::vector<std::string> Includes; ///< All headers read, absolute, sorted.
  bool Failed = false;
  bool LeftAlone = false;     ///< A module unit or the like stays as it is.
  bool InModule = false;      ///< Why it is left alone.
  bool OwnCleanups = false;   ///< See Manifest.
  unsigned Errors = 0;        ///< Ours: wrong annotations, failed functions.
  unsigned Refused = 0;       ///< Right annotations that can't be instrumented.
  unsigned ForeignErrors = 0; ///< Clang's, outside annotated code.
  /// "file:line" of what each rule of the selection matched.
  std::map<unsigned, std::set<std::string>> Matches;
  std::set<unsigned> RefusedRules; ///< Which match what can't have a hook.
  /// What those that matched nothing may have meant.
  std::map<unsigned, launch::RuleHint> Hints;
  std::vector<SeenBody> Bodies; ///< With FindOptions::Suggest.
  std::vector<launch::FunctionOutcome> Functions; ///< Of function mode.
};

/// Parses and finds. Never fails hard: see ParseResult::Failed.
ParseResult parseFile(const ParseOptions &Options);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_PARSE_H
