// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was found in a translation unit, as plain values.

#ifndef LOOPSCOPE_INSTRUMENT_MODEL_PARSERESULT_H
#define LOOPSCOPE_INSTRUMENT_MODEL_PARSERESULT_H

#include "Instrument/Model/Bodies.h"
#include "Instrument/Model/Manifest.h"
#include "Instrument/Model/Marks.h"
#include "Instrument/Model/Model.h"

#include <map>
#include <set>

namespace loopscope::instrument {

/// An include directive of a project file or another expression that names a
/// file, and where it leads.
struct Inclusion {
  unsigned Line = 0;
  Range Keyword;           ///< `include`, `include_next`, `__has_include_next`.
  Range Operand;           ///< With quotes, or the macro that gives them.
  std::string Target;      ///< Absolute path; empty if no file was found.
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

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_MODEL_PARSERESULT_H
