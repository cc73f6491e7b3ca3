// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What names say about a training program: the one list of words by which
// --suggest reads sources, and by which the analysis of samples tells loops
// over epochs from loops over batches.

#ifndef LOOPSCOPE_SUPPORT_TRAININGNAMES_H
#define LOOPSCOPE_SUPPORT_TRAININGNAMES_H

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope {

/// What a call is for, by its name. Update: maybe the optimizer's step. Step: a
/// whole step. Train: one step or many. Epoch: many.
enum class TrainingRole {
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

/// The role of a function by its plain \p Name. \p Object is the one that it
/// is called on, if any; \p IsReal: it returns a floating-point number;
/// \p IsBare: it has no arguments.
TrainingRole roleOfName(const std::string &Name, const std::string &Object = "",
                        bool IsReal = false, bool IsBare = false);

/// Whether it is a part of a step that can be a phase.
bool isPart(TrainingRole R);
/// The phase for a part.
const char *phaseName(TrainingRole R);

/// Whether a function of this name creates, shows or saves things, and never
/// trains.
bool isAside(std::string_view Name);

/// Whether a function of this name saves or shows something. "log" doesn't say
/// so: it may be a logarithm.
bool savesOrShows(std::string_view Name);

/// `get` and the like, on whatever object.
bool isAccess(std::string_view Name);

/// Whether a call of a function with this plain name is never worth a mark: an
/// operator, or one that gives a size, an element or a member. Hooks would take
/// longer than it does.
bool isNeverWorthAMark(std::string_view Name);

/// Variables that only learning has: gradients, rates, deltas.
bool isLearning(std::string_view Variable);
/// The same, unless it is a parameter of a function that only calculates.
bool mayBeLearning(std::string_view Variable);
bool isWeights(std::string_view Variable);
/// Names of loops' variables and bounds.
bool isEpochs(std::string_view Variable);
bool isIterations(std::string_view Variable);
bool isData(std::string_view Variable);
/// Of models that are made of trees, each of which is a step.
bool isTrees(std::string_view Variable);
/// A loop with these in its condition ends when a method has converged.
bool isConvergence(std::string_view Variable);
/// A loop with these tries the same again until there is a result.
bool isAttempt(std::string_view Variable);
/// A loop that counts these does a whole training each time.
bool overRuns(std::string_view Variable);
/// A loop that counts these is a part of a step.
bool isOfModel(std::string_view Variable);

/// Whether \p Name, of a function with its classes, says that it trains.
bool saysTraining(std::string_view Name);
/// Whether \p Name, of a function with its classes, is of a method that takes
/// all data before it changes the model, so that one of its iterations is a
/// step.
bool takesAllData(std::string_view Name);
/// Whether it says so only by solving something, which may be a part of a step.
bool saysSolvingOnly(std::string_view Name);

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_TRAININGNAMES_H
