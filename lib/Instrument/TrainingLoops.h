//===- TrainingLoops.h - Loops and calls that look like training -*- C++ -*-==//
//
// What --suggest goes by: the loops of a translation unit and the functions
// that do a step, with the calls in them whose names tell what they are for.
//
//===----------------------------------------------------------------------===//

#ifndef LOOPSCOPE_LIB_INSTRUMENT_TRAININGLOOPS_H
#define LOOPSCOPE_LIB_INSTRUMENT_TRAININGLOOPS_H

#include "Places.h"

#include <set>
#include <string>
#include <vector>

namespace loopscope::instrument {

/// What a call in a step is for. Update: perhaps the optimizer's step. Step:
/// all of it.
enum class Role {
  None,
  Draw,
  ZeroGrad,
  Forward,
  Loss,
  Backward,
  OptStep,
  Step,
  Update
};

/// A call whose callee's name tells its role.
struct FoundCall {
  Role R = Role::None;
  std::string Callee; ///< As a rule names it.
  unsigned Line = 0;
  std::vector<Role> Inner; ///< Of calls in its arguments and object.
};

/// A loop, or the body of a function without its loops.
struct FoundScope {
  bool IsLoop = false;
  std::string In; ///< Function.
  /// Of a loop: its induction variable, or its number where that isn't one.
  std::string Said;
  unsigned Ordinal = 0; ///< Of a loop: number in the function, from 1.
  std::string File;     ///< Base name.
  unsigned Line = 0;
  int Outer = -1;                   ///< Of a loop: index of the loop around it.
  bool Epochs = false;              ///< Its variable says so.
  std::vector<FoundCall> Calls;     ///< Of this scope alone; none is an Update.
  std::set<Role> Roles;             ///< With those of the loops in a loop.
  std::vector<std::string> Callees; ///< All that this scope alone calls.

  /// How many of the parts of a step it holds.
  size_t parts() const {
    return Roles.size() - Roles.count(Role::Draw) - Roles.count(Role::Step);
  }
  bool holdsStep() const { return parts() > 1 || Roles.count(Role::Step) != 0; }
  bool trains() const {
    return Roles.count(Role::Backward) + Roles.count(Role::OptStep) +
               Roles.count(Role::Step) !=
           0;
  }
};

/// The loops and functions of the translation unit outside system headers, a
/// loop behind the one around it.
std::vector<FoundScope> findTrainingScopes(clang::ASTContext &Context,
                                           const Places &Where);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_LIB_INSTRUMENT_TRAININGLOOPS_H
