// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which stage (fit, validate, test, predict) each call path belongs to, and the
// names of call paths in flat tables.

#ifndef LOOPSCOPE_RUN_MODEL_STAGES_H
#define LOOPSCOPE_RUN_MODEL_STAGES_H

#include "Run/Model/Run.h"

#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// A stage of a run, or the part of the run outside all stages.
struct Stage {
  /// LOOPSCOPE_KIND_ROOT stands for "outside all stages".
  loopscope_kind Kind = LOOPSCOPE_KIND_FIT;
  std::string Id;     ///< "fit"; "outside"
  std::string Title;  ///< "FIT Profiler Report"
  int64_t WallNs = 0; ///< what shares in this stage are shares of
};

/// A run's stages.
struct Stages {
  /// The run's stages, in the order fit, validate, test, predict, outside. A
  /// run without annotated stages is one fit stage.
  std::vector<Stage> List;
  /// By node of the profile: the kind of its innermost stage, as in Stage.
  std::vector<loopscope_kind> Of;
  /// Whether no stage was annotated.
  bool Implicit = false;
};

/// The stage of \p Kind; for any kind that isn't a stage, what runs outside all
/// stages.
Stage makeStage(loopscope_kind Kind, int64_t WallNs);

/// Whether the kind is a stage.
bool isStage(loopscope_kind Kind);

/// Whether nodes of \p Kind are part of the phase around them in every table of
/// phases: functions, and LibTorch operators.
constexpr bool isFunction(loopscope_kind Kind) {
  return Kind == LOOPSCOPE_KIND_FUNCTION || Kind == LOOPSCOPE_KIND_OPERATOR;
}

/// "net.cpp:41": the place of a site, without directories; empty if it isn't
/// known, as for \p Site None.
std::string siteText(const Run &R, uint32_t Site);

/// Whether the run has LibTorch operators.
bool hasOperators(const Run &R);

/// The word for a kind in trees: "fit", "epoch", "train", "step", "draw",
/// "wait".
const char *kindWord(loopscope_kind Kind);

/// A node's name in trees: a phase's name, "epoch", "step".
std::string treeName(const Run &R, const Node &N);

/// Finds the stages of a run. Threads on which no stage was opened belong to
/// the run's only stage, if there is just one.
Stages findStages(const Run &R);

/// The stages of any of \p All, each once, in order of first appearance.
std::vector<Stage> stagesOfAll(const std::vector<Stages> &All);

/// A node's name in the simple view, which uses Lightning's words, within \p
/// Stage: run_training_epoch (run_training_loop if no epoch is marked around
/// the loop), get_train_batch, a phase's own name. None for nodes without a row
/// there (steps, functions, loops inside an epoch row of the same name). \p
/// Enclosing is the name of the innermost row around it, or empty.
std::optional<std::string> simpleName(const Run &R, const Node &N,
                                      loopscope_kind Stage,
                                      const std::string &Enclosing);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_STAGES_H
