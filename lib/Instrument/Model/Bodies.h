// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions of a program call, loop over and assign, without Clang's
// types: what --suggest works with.

#ifndef LOOPSCOPE_INSTRUMENT_MODEL_BODIES_H
#define LOOPSCOPE_INSTRUMENT_MODEL_BODIES_H

#include <string>
#include <utility>
#include <vector>

namespace loopscope::instrument {

/// A call, or a function that is handed on to be called.
struct SeenCall {
  std::string Callee; ///< As a rule names it.
  std::string Name;   ///< Without its scope.
  std::string Key;    ///< Place of the definition, where this file has it.
  std::string Object; ///< What it is called on, as it is written.
  std::string Via;    ///< For a function that is passed on: what receives it.
  /// Variables, members and functions that the arguments name; for an argument
  /// `true`, the parameter's name, and for `false`, the same after a "!".
  std::vector<std::string> Arguments;
  unsigned Line = 0;
  unsigned Statement = 0; ///< Calls of one statement share it. 0: no rule
                          ///< reaches this one.
  bool Real = false;      ///< It gives a floating-point number.
  bool InHead = false;    ///< Of the loop.
  bool System = false;    ///< Declared in a system header or by the compiler.
};

/// An assignment to an element, a member or a variable.
struct SeenAssignment {
  std::string Target;
  bool Element = false;     ///< Of an array, or behind a pointer.
  bool Accumulates = false; ///< `+=` and the like, `w = w - x`.
  bool Real = false;        ///< The target is a floating-point number.
  std::vector<std::string> Sources;
};

/// A loop, or what is in no loop of a function.
struct SeenScope {
  int Outer = -1;                 ///< Scope around a loop, in the function.
  std::vector<std::string> Names; ///< Of a loop; see loopNames.
  std::vector<std::string> Head;  ///< What the loop's head names.
  unsigned Ordinal = 0;           ///< Of a loop, from 1; 0: it has no number.
  unsigned Line = 0;
  bool Endless = false; ///< `while (1)`.
  bool Pragma = false;  ///< A pragma applies to the loop: no hook fits there.
  std::vector<SeenCall> Calls;
  std::vector<SeenAssignment> Assignments;
  /// Lines of OpenMP's directives that only wait: "barrier", "taskwait".
  std::vector<std::pair<unsigned, std::string>> WaitDirectives;
};

/// A function definition, a lambda included.
struct SeenBody {
  std::string Name; ///< As rules name it.
  std::string Signature;
  std::string File; ///< Absolute path.
  std::string Key;  ///< Place of the definition.
  unsigned Line = 0;
  bool Constant = false; ///< Can't hold hooks: constexpr, device.
  bool Local = false;    ///< Another program or file may have one of this name.
  std::vector<std::string> Overrides; ///< Virtual functions of bases.
  std::vector<SeenScope> Scopes;      ///< The first one is the body.
};

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_MODEL_BODIES_H
