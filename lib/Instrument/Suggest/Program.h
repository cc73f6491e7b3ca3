// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions call which, and which change weights.
//
// Combines the functions of a program's files. Used by StepLoops.cpp and
// Suggest.cpp.

#ifndef LOOPSCOPE_INSTRUMENT_SUGGEST_PROGRAM_H
#define LOOPSCOPE_INSTRUMENT_SUGGEST_PROGRAM_H

#include "Instrument/Suggest/Roles.h"

#include <map>
#include <set>

namespace loopscope::instrument {

/// A scope of a body.
struct ScopeId {
  int Body = -1;
  int Scope = 0;

  bool isLoop() const { return Body >= 0 && Scope > 0; }
  auto operator<=>(const ScopeId &) const = default;
};

class Program {
public:
  explicit Program(std::vector<SeenBody> All);

  const std::vector<SeenBody> &bodies() const { return Bodies; }
  const SeenBody &body(int Index) const {
    return Bodies[static_cast<size_t>(Index)];
  }
  const SeenScope &scope(ScopeId S) const {
    return body(S.Body).Scopes[static_cast<size_t>(S.Scope)];
  }

  /// The bodies that \p Call may run.
  const std::vector<int> &targets(const SeenCall &Call) const;
  /// The scopes that call a body or pass it on, those in the nearest files
  /// first.
  const std::vector<ScopeId> &callers(int Body) const {
    return Callers[static_cast<size_t>(Body)];
  }
  /// \p Loop and the loops in it.
  std::vector<int> nest(ScopeId Loop) const;
  /// The loops around it, possibly around a call of the function; loops that
  /// only start threads are skipped.
  std::vector<ScopeId> loopsAround(ScopeId Loop) const;
  bool startsThreads(ScopeId Loop) const;

  /// How certain it is that \p Body changes weights, itself or through others:
  /// 0 to 3.
  int teaches(int Body) const { return Teaches[static_cast<size_t>(Body)]; }
  /// Whether assignments in this scope itself change weights.
  bool assignsWeights(ScopeId S) const { return Assigning.contains(S); }
  /// Whether the name of \p Body, or of a function on the way to it, says
  /// train.
  bool isInTraining(int Body) const {
    return InTraining[static_cast<size_t>(Body)];
  }

private:
  void link();
  void nameByPointers();
  void judgeAssignments(int Body);
  void judgeTeaching();
  void judgeTraining();

  std::vector<SeenBody> Bodies;
  std::map<std::string, std::vector<int>> ByKey, ByName, ByPlainName;
  /// By the variable or member that points to the function.
  std::map<std::string, std::vector<int>> ByPointer;
  mutable std::map<std::string, std::vector<int>> Resolved;
  std::vector<std::vector<ScopeId>> Callers;
  std::set<ScopeId> Assigning;
  std::vector<int> Teaches;
  std::vector<bool> InTraining;
};

/// A name without its scope.
std::string_view plainName(std::string_view Name);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SUGGEST_PROGRAM_H
