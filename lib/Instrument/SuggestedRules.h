// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules file that --suggest prints --*- C++ -*.

#ifndef LOOPSCOPE_INSTRUMENT_SUGGESTEDRULES_H
#define LOOPSCOPE_INSTRUMENT_SUGGESTEDRULES_H

#include "Instrument/ScopeRoles.h"
#include "Instrument/Suggest.h"

#include <optional>

namespace loopscope::instrument {

/// Words what was found in a Program as rules of a selection, each one once;
/// what no rule can mean becomes a remark.
class RuleWriter {
public:
  explicit RuleWriter(const Program &P) : P(P) {}

  /// Makes LOOP one of KIND, unless it has a kind already.
  void loop(ScopeId Loop, const char *Kind, const std::string &Why);
  /// Makes LOOP, which consists of that PART of a step, one phase; false where
  /// no rule can mean it alone.
  bool wholeLoop(ScopeId Loop, Role Part);
  /// Makes CALL, in the scope AT, a phase or a draw as its role R says. BESIDE
  /// are the calls of that scope.
  void call(ScopeId At, const SeenCall &Call, Role R, const Roles &Beside);
  /// Makes CALL a phase that is called what it calls.
  void named(ScopeId At, const SeenCall &Call, const std::string &Why);
  /// Makes CALL, which only waits, a wait.
  void wait(ScopeId At, const SeenCall &Call);
  /// Makes CALL, which communicates with all ranks, a collective.
  void collective(ScopeId At, const SeenCall &Call);
  void remark(ScopeId At, const std::string &Why);
  void remark(ScopeId At, unsigned Line, const std::string &Why);

  const std::vector<Suggested> &rules() const { return Result; }

private:
  /// `in: ..., loop: ...`; nothing where no rule can mean LOOP alone.
  std::optional<std::string> loopText(ScopeId Loop) const;
  /// `in: ...`, narrowed where several functions share the name.
  std::optional<std::string> functionText(int Body) const;
  /// A rule for CALL, or for what it calls where no statement holds it.
  void target(ScopeId At, const SeenCall &Call, const std::string &What,
              const std::string &Why, bool MayBeFunction);
  /// Adds a rule, once.
  void add(const std::string &Yaml, ScopeId At, unsigned Line,
           const std::string &Why);

  const Program &P;
  /// Bodies with what they call that has a rule.
  std::set<std::pair<int, std::string>> Ruled;
  std::set<ScopeId> Kinds; ///< Loops that have a rule.
  std::vector<Suggested> Result;
};

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SUGGESTEDRULES_H
