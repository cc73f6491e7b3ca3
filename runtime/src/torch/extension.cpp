// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the core calls of LibTorch's observer, and the words
// operators= and shapes=.
//
// LibTorch that a program loads late is looked for where time is spent anyway:
// when the profile is made, at a new call path, in the background thread's
// rounds.

#include "extension.h"

#include "facts.h"
#include "observer.h"

#include "process/facts.h"
#include "process/options.h"

#include <string.h>

using namespace loopscope::runtime;

TorchOptions loopscope::runtime::TorchSettings;

namespace {
bool parseOperators(char *Value, Options & /*Core*/, Text &Message) {
  static constexpr const char *Names[] = {"off", "on", "top"};
  static constexpr OperatorChoice Choices[] = {
      OperatorChoice::Off, OperatorChoice::On, OperatorChoice::Top};
  // A module's forward() is an ordinary function: LibTorch doesn't see its
  // calls.
  if (strcmp(Value, "modules") == 0) {
    Message << "LOOPSCOPE: 'operators=modules' is not possible: LibTorch tells "
               "nobody when a module's forward() runs; make the forward() "
               "functions a phase with the key type(*this), by marks or by a "
               "rule of a selection";
    return false;
  }
  uint32_t Chosen = chooseValue(Value, Names, 3, "operators", Message);
  if (Chosen == 3)
    return false;
  TorchSettings.Operators = Choices[Chosen];
  return true;
}
bool parseShapes(char *Value, Options & /*Core*/, Text &Message) {
  static constexpr const char *Names[] = {"off", "on"};
  uint32_t Chosen = chooseValue(Value, Names, 2, "shapes", Message);
  if (Chosen == 2)
    return false;
  TorchSettings.Shapes = Chosen == 1;
  return true;
}
constexpr OptionWord Words[] = {{"operators=off|on|top", parseOperators},
                                {"shapes=off|on", parseShapes}};

uint64_t lookAtNewPath(Node * /*Made*/) {
  lookForTorch();
  return 0;
}

bool lookInRound() {
  lookForTorch();
  return true;
}
} // namespace

bool loopscope::runtime::wantsOperators() {
  if (TorchSettings.Operators == OperatorChoice::ByMode)
    return TorchSettings.Shapes ||
           Process.Settings.Mode == LOOPSCOPE_MODE_ADVANCED;
  return TorchSettings.Operators != OperatorChoice::Off;
}

const Extension loopscope::runtime::TorchExtension = {
    .Name = "torch",
    .Words = Words,
    .Start = registerOperators,
    .BeforeProfile = lookForTorch,
    .ThreadEnded = endTorchOfThread,
    .NewCallPath = lookAtNewPath,
    .Tick = lookInRound,
    .ChildOfFork = resetTorchAfterFork,
    .Stop = explainMissingShapes,
    .Entry = factsEntry,
};
