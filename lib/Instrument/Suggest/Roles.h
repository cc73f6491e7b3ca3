// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What names say about a training program.

#ifndef LOOPSCOPE_INSTRUMENT_SUGGEST_ROLES_H
#define LOOPSCOPE_INSTRUMENT_SUGGEST_ROLES_H

#include "Instrument/Model/Bodies.h"

#include <initializer_list>
#include <set>
#include <string_view>

namespace loopscope::instrument {

/// What a call is for, by its name. Update: maybe the optimizer's step. Step: a
/// whole step. Train: one step or many. Epoch: many.
enum class Role {
  None,
  Draw,
  ZeroGrad,
  Forward,
  Loss,
  Backward,
  OptStep,
  Step,
  Update,
  Train,
  Epoch,
  Evaluate
};

/// "trainOneBatch" and "train_one_batch": train, one, batch.
std::vector<std::string> wordsOf(std::string_view Name);

/// Whether one of \p Words is a separate word in \p Name.
bool hasWord(std::string_view Name,
             std::initializer_list<std::string_view> Words);

Role roleOf(const SeenCall &Call);
/// What a function is for, by its name without scope.
Role roleOf(const SeenBody &Body);

/// Whether it is a part of a step that can be a phase.
bool isPart(Role R);
/// The phase for a part.
const char *phaseName(Role R);

/// Whether a function of this name creates, shows or saves things, and never
/// trains.
bool isAside(std::string_view Name);

/// Variables that only learning has: gradients, rates, deltas.
bool isLearning(std::string_view Variable);
/// The same, unless it is a parameter of a function that only calculates.
bool mayBeLearning(std::string_view Variable);
bool isWeights(std::string_view Variable);
/// Names of loops' variables and bounds.
bool isEpochs(std::string_view Variable);
bool isIterations(std::string_view Variable);
bool isData(std::string_view Variable);
/// A loop that counts these does a whole training each time.
bool overRuns(std::string_view Variable);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SUGGEST_ROLES_H
