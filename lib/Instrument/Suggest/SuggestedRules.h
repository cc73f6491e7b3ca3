// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the rules file that --suggest prints.

#ifndef LOOPSCOPE_INSTRUMENT_SUGGEST_SUGGESTEDRULES_H
#define LOOPSCOPE_INSTRUMENT_SUGGEST_SUGGESTEDRULES_H

#include "Instrument/Suggest/ScopeRoles.h"
#include "Instrument/Suggest/Suggest.h"

#include <optional>

namespace loopscope::instrument {

/// Expresses findings about a Program as rules of a selection, each of them
/// once; what no rule can express becomes a remark.
class RuleWriter {
public:
  explicit RuleWriter(const Program &P) : P(P) {}

  /// Gives \p Loop the kind \p Kind, unless it has one already.
  void loop(ScopeId Loop, const char *Kind, const std::string &Why);
  /// Makes \p Loop, which consists of that \p Part of a step, one phase; false
  /// if no rule can select it alone.
  bool wholeLoop(ScopeId Loop, Role Part);
  /// Makes \p Call, in the scope \p At, a phase or a draw, depending on its
  /// role \p R. \p Beside are the calls of that scope.
  void call(ScopeId At, const SeenCall &Call, Role R, const Roles &Beside);
  /// Makes \p Call a phase named after its callee.
  void named(ScopeId At, const SeenCall &Call, const std::string &Why);
  /// Makes \p Call, which only waits, a wait.
  void wait(ScopeId At, const SeenCall &Call);
  /// Makes \p Call, which communicates with all ranks, a collective.
  void collective(ScopeId At, const SeenCall &Call);
  void remark(ScopeId At, const std::string &Why);
  void remark(ScopeId At, unsigned Line, const std::string &Why);

  const std::vector<Suggested> &rules() const { return Result; }

private:
  /// `in: ..., loop: ...`; nothing if no rule can select \p Loop alone.
  std::optional<std::string> loopText(ScopeId Loop) const;
  /// `in: ...`, narrowed if several functions share the name.
  std::optional<std::string> functionText(int Body) const;
  /// A rule for \p Call or, if no statement holds it, for its callee.
  void target(ScopeId At, const SeenCall &Call, const std::string &What,
              const std::string &Why, bool MayBeFunction);
  /// Adds a rule, once.
  void add(const std::string &Yaml, ScopeId At, unsigned Line,
           const std::string &Why);

  const Program &P;
  /// Bodies, with those of their callees that have a rule.
  std::set<std::pair<int, std::string>> Ruled;
  std::set<ScopeId> Kinds; ///< Loops that have a rule.
  std::vector<Suggested> Result;
};

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SUGGEST_SUGGESTEDRULES_H
