// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums up a build's rewrites.
//
// Each rewrite's manifest lists the functions that function mode took and left
// out, and what the rules of a selection matched. Each file sees only part of a
// program, so both are judged over all files: `--record=DIR` keeps the
// manifests and `--summary=DIR` reads them.

#ifndef LOOPSCOPE_LAUNCH_RECORD_H
#define LOOPSCOPE_LAUNCH_RECORD_H

#include "Support/Result.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope::launch {

/// FunctionOutcome::LeftOut for functions with clang errors.
inline constexpr std::string_view NotParsed = "clang can't parse it";

/// FunctionOutcome::LeftOut for functions that an earlier run shows to be
/// small.
inline constexpr std::string_view SmallInProfile = "small in the profile";

/// What function mode did with one function definition.
struct FunctionOutcome {
  std::string Place;   ///< "absolute path:line:column", the same in each file.
  std::string Name;    ///< Qualified.
  std::string LeftOut; ///< Why, in two or three words; "" when it has a hook.
};

/// What a rule that matches nothing may have been meant to match.
struct RuleHint {
  std::string Text;      ///< "'train' has loops 1: for i; no call", or "".
  unsigned Distance = 0; ///< The nearest one of several files is told.
};

/// What one rule of a selection matched.
struct RuleOutcome {
  std::string Where;            ///< "loops.yaml:3:5".
  std::string What;             ///< "function 'train'".
  bool One = false;             ///< More than one match is a mistake.
  std::set<std::string> Places; ///< "path:line".
  RuleHint Hint;                ///< Where there are no places.
};

/// The rules of \p Text: a JSON array, as the member "rules" of a manifest.
std::vector<RuleOutcome> readRules(std::string_view Text);

/// Adds what a rule matched in another file to \p Rules.
void addRule(std::vector<RuleOutcome> &Rules, RuleOutcome Rule);

/// Warnings about rules that matched nothing or too much \p Where (" in
/// train"); lines with newlines, in the order of \p Rules.
std::string ruleWarnings(const std::vector<RuleOutcome> &Rules,
                         std::string_view Where = "");

/// Sums over a build's rewrites. A function or rule that several files see
/// counts once.
class Summary {
public:
  /// Adds the manifest \p Text. False if its source no longer exists, so that
  /// it is a leftover of an earlier build.
  Result<bool> add(std::string_view Text);
  void add(const std::vector<FunctionOutcome> &Each);

  unsigned files() const { return Files; }
  unsigned failed() const { return Failed; }
  unsigned instrumented() const;
  /// Functions without a hook, by reason. A function with a hook in some file
  /// doesn't count.
  std::map<std::string, unsigned> leftOut() const;
  std::vector<RuleOutcome> rules() const;
  /// "files: ..." and "functions: 12 instrumented, 30 left out (small 20,
  /// constexpr 10)", lines with newlines.
  std::string text() const;

private:
  unsigned Files = 0, Failed = 0;
  std::map<std::string, std::string> Functions; ///< Place to LeftOut.
  std::vector<RuleOutcome> Rules;
};

/// Stores the manifest \p Text of the object at absolute path \p Object in \p
/// Directory, replacing an earlier one.
std::optional<Error> keepRecord(const std::string &Directory,
                                const std::string &Object,
                                const std::string &Text);

/// Sums up what keepRecord stored in \p Directory.
Result<Summary> readRecords(const std::string &Directory);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_RECORD_H
