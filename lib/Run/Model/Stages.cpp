// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stages of a run, and Lightning's names.

#include "Run/Model/Stages.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
constexpr loopscope_kind Order[] = {LOOPSCOPE_KIND_FIT, LOOPSCOPE_KIND_VALIDATE,
                                    LOOPSCOPE_KIND_TEST,
                                    LOOPSCOPE_KIND_PREDICT};

const char *stageTitle(loopscope_kind Kind) {
  switch (Kind) {
  case LOOPSCOPE_KIND_FIT:
    return "FIT Profiler Report";
  case LOOPSCOPE_KIND_VALIDATE:
    return "VALIDATE Profiler Report";
  case LOOPSCOPE_KIND_TEST:
    return "TEST Profiler Report";
  case LOOPSCOPE_KIND_PREDICT:
    return "PREDICT Profiler Report";
  default:
    return "Profiler Report outside all stages";
  }
}

// Adds the stage of KIND to LIST, or its time to the one that is there.
void addWall(std::vector<Stage> &List, loopscope_kind Kind, int64_t WallNs) {
  for (Stage &S : List)
    if (S.Kind == Kind) {
      S.WallNs = saturatingAdd(S.WallNs, WallNs);
      return;
    }
  List.push_back(makeStage(Kind, WallNs));
}

// How Lightning names a validation loop and its epochs in STAGE.
const char *evaluationWord(loopscope_kind Stage) {
  switch (Stage) {
  case LOOPSCOPE_KIND_TEST:
    return "test";
  case LOOPSCOPE_KIND_PREDICT:
    return "predict";
  default:
    return "validation";
  }
}

// How far to look for an epoch.
enum class Within { Stage, Run };

// Whether a marked epoch is around N. Without one, a loop may run for part of
// an epoch or for many.
bool isInEpoch(const Run &R, const Node &N, Within Where) {
  for (uint32_t I = N.Parent; I != None; I = R.Nodes[I].Parent) {
    if (R.Nodes[I].Kind == LOOPSCOPE_KIND_EPOCH)
      return true;
    if (Where == Within::Stage && isStage(R.Nodes[I].Kind))
      return false;
  }
  return false;
}

std::string rowOfLoopPart(const Run &R, const Node &N, loopscope_kind Stage) {
  const Node &Step = R.Nodes[N.Parent];
  bool IsTraining =
      Step.Parent == None || R.Nodes[Step.Parent].Kind != LOOPSCOPE_KIND_VALID;
  if (N.Kind == LOOPSCOPE_KIND_DRAW)
    return fmt::format("get_{}_batch",
                       IsTraining ? "train" : evaluationWord(Stage));
  return fmt::format("run_{}_batch",
                     IsTraining ? "training" : evaluationWord(Stage));
}
} // namespace

Stage loopscope::makeStage(loopscope_kind Kind, int64_t WallNs) {
  return {Kind, isStage(Kind) ? kindWord(Kind) : "outside", stageTitle(Kind),
          WallNs};
}

bool loopscope::isStage(loopscope_kind Kind) {
  return Kind >= LOOPSCOPE_KIND_FIT && Kind <= LOOPSCOPE_KIND_PREDICT;
}

const char *loopscope::kindWord(loopscope_kind Kind) {
  switch (Kind) {
  case LOOPSCOPE_KIND_ROOT:
    return "thread";
  case LOOPSCOPE_KIND_PHASE:
    return "phase";
  case LOOPSCOPE_KIND_FIT:
    return "fit";
  case LOOPSCOPE_KIND_VALIDATE:
    return "validate";
  case LOOPSCOPE_KIND_TEST:
    return "test";
  case LOOPSCOPE_KIND_PREDICT:
    return "predict";
  case LOOPSCOPE_KIND_EPOCH:
    return "epoch";
  case LOOPSCOPE_KIND_TRAIN:
    return "train";
  case LOOPSCOPE_KIND_VALID:
    return "valid";
  case LOOPSCOPE_KIND_STEP:
    return "step";
  case LOOPSCOPE_KIND_DRAW:
    return "draw";
  case LOOPSCOPE_KIND_BATCH:
    return "batch";
  case LOOPSCOPE_KIND_FUNCTION:
    return "function";
  case LOOPSCOPE_KIND_WAIT:
    return "wait";
  case LOOPSCOPE_KIND_COLLECTIVE:
    return "collective";
  case LOOPSCOPE_KIND_OPERATOR:
    return "operator";
  case LOOPSCOPE_KIND_SERVED:
    break;
  }
  return "phase";
}

std::string loopscope::treeName(const Run &R, const Node &N) {
  switch (N.Kind) {
  case LOOPSCOPE_KIND_PHASE:
  case LOOPSCOPE_KIND_FUNCTION:
  case LOOPSCOPE_KIND_WAIT:
  case LOOPSCOPE_KIND_COLLECTIVE:
  case LOOPSCOPE_KIND_OPERATOR:
    if (!R.nameOf(N).empty())
      return R.nameOf(N);
    [[fallthrough]];
  default:
    return kindWord(N.Kind);
  }
}

std::string loopscope::siteText(const Run &R, uint32_t Site) {
  if (Site == None || R.Sites[Site].File.empty())
    return {};
  const struct Site &Of = R.Sites[Site];
  std::string Name(fileName(Of.File));
  return Of.Line == 0 ? Name : fmt::format("{}:{}", Name, Of.Line);
}

bool loopscope::hasOperators(const Run &R) {
  return std::any_of(R.Nodes.begin(), R.Nodes.end(), [](const Node &N) {
    return N.Kind == LOOPSCOPE_KIND_OPERATOR;
  });
}

Stages loopscope::findStages(const Run &R) {
  Stages Result;
  Result.Of.assign(R.Nodes.size(), LOOPSCOPE_KIND_ROOT);
  // Parents come before children. A stage counts its time unless another stage
  // of its kind is around it.
  std::vector<unsigned> Around(R.Nodes.size(), 0); // bit set of kinds
  std::vector<Stage> Found;
  int64_t MainNs = 0;
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (N.Parent != None) {
      Result.Of[I] = Result.Of[N.Parent];
      Around[I] = Around[N.Parent];
    }
    if (!isStage(N.Kind))
      continue;
    Result.Of[I] = N.Kind;
    if (Around[I] == 0 && R.Threads[N.Thread].IsMain)
      MainNs = saturatingAdd(MainNs, N.InclusiveNs);
    if ((Around[I] & (1u << N.Kind)) == 0)
      addWall(Found, N.Kind, N.InclusiveNs);
    Around[I] |= 1u << N.Kind;
  }
  Result.Implicit = Found.empty();
  if (Result.Implicit) {
    Result.Of.assign(R.Nodes.size(), LOOPSCOPE_KIND_FIT);
    addWall(Result.List, LOOPSCOPE_KIND_FIT, R.WallNs);
    return Result;
  }
  for (loopscope_kind Kind : Order)
    for (const Stage &S : Found)
      if (S.Kind == Kind)
        Result.List.push_back(S);

  std::vector<bool> HasStage(R.Threads.size(), false);
  for (const Node &N : R.Nodes)
    if (isStage(N.Kind))
      HasStage[N.Thread] = true;
  bool HasOutside = false;
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    bool IsWorker = !R.Threads[N.Thread].IsMain && !HasStage[N.Thread];
    if (IsWorker && Found.size() == 1)
      Result.Of[I] = Found[0].Kind;
    if (N.Parent != None && Result.Of[I] == LOOPSCOPE_KIND_ROOT)
      HasOutside = true;
  }
  if (HasOutside)
    addWall(Result.List, LOOPSCOPE_KIND_ROOT,
            R.WallNs > MainNs ? R.WallNs - MainNs : 0);
  return Result;
}

std::optional<std::string> loopscope::simpleName(const Run &R, const Node &N,
                                                 loopscope_kind Stage,
                                                 const std::string &Enclosing) {
  std::string Name;
  bool IsLoop = false;
  switch (N.Kind) {
  case LOOPSCOPE_KIND_ROOT:
  case LOOPSCOPE_KIND_STEP:
  case LOOPSCOPE_KIND_FUNCTION:
  case LOOPSCOPE_KIND_OPERATOR:
    return std::nullopt;
  case LOOPSCOPE_KIND_EPOCH:
    Name = fmt::format("run_{}_epoch", Stage == LOOPSCOPE_KIND_FIT ||
                                               Stage == LOOPSCOPE_KIND_ROOT
                                           ? "training"
                                           : evaluationWord(Stage));
    break;
  case LOOPSCOPE_KIND_TRAIN:
    if (isInEpoch(R, N, Within::Stage))
      return std::nullopt; // the epoch's row has it
    Name = isInEpoch(R, N, Within::Run) ? "run_training_epoch"
                                        : "run_training_loop";
    IsLoop = true;
    break;
  case LOOPSCOPE_KIND_VALID:
    Name = fmt::format("run_{}_epoch", evaluationWord(Stage));
    IsLoop = true;
    break;
  case LOOPSCOPE_KIND_DRAW:
  case LOOPSCOPE_KIND_BATCH:
    if (N.Parent != None && R.Nodes[N.Parent].Kind == LOOPSCOPE_KIND_STEP)
      return rowOfLoopPart(R, N, Stage);
    [[fallthrough]];
  default:
    Name = R.nameOf(N);
    break;
  }
  if (IsLoop && Name == Enclosing)
    return std::nullopt;
  if (Name.empty())
    Name = kindWord(N.Kind);
  return Name;
}

std::vector<Stage> loopscope::stagesOfAll(const std::vector<Stages> &All) {
  std::vector<Stage> List;
  for (const Stages &Each : All)
    for (const Stage &S : Each.List)
      if (std::none_of(List.begin(), List.end(),
                       [&](const Stage &Known) { return Known.Id == S.Id; }))
        List.push_back(S);
  return List;
}
