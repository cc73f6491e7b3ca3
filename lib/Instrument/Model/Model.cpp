// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of the kinds.

#include "Instrument/Model/Model.h"

namespace loopscope::instrument {

static constexpr KindInfo Kinds[] = {
    {Kind::Phase, "phase", "PHASE"},
    {Kind::Fit, "fit", "FIT"},
    {Kind::Validate, "validate", "VALIDATE"},
    {Kind::Test, "test", "TEST"},
    {Kind::Predict, "predict", "PREDICT"},
    {Kind::Epoch, "epoch", "EPOCH"},
    {Kind::Train, "train", "TRAIN"},
    {Kind::Valid, "valid", "VALID"},
    {Kind::Draw, "draw", "DRAW"},
    {Kind::Wait, "wait", "WAIT"},
    {Kind::Collective, "collective", "COLLECTIVE"},
    {Kind::Ignore, "ignore", ""},
#define LOOPSCOPE_ROW(NAME, IDENTIFIER, NOUN) {Kind::IDENTIFIER, #NAME, ""},
    __LOOPSCOPE_AMOUNTS(LOOPSCOPE_ROW)
#undef LOOPSCOPE_ROW
        {Kind::Iterations, "iterations", ""},
    {Kind::Key, "key", ""},
    {Kind::Function, "function", "FUNCTION"},
};

const KindInfo &info(Kind K) { return Kinds[static_cast<size_t>(K)]; }

std::optional<Kind> kindNamed(llvm::StringRef Name) {
  for (const KindInfo &I : Kinds)
    if (I.K != Kind::Function && I.Attribute == Name)
      return I.K;
  return std::nullopt;
}

std::vector<std::string> attributeNames() {
  std::vector<std::string> Names;
  for (const KindInfo &I : Kinds)
    if (I.K != Kind::Function)
      Names.emplace_back(I.Attribute);
  return Names;
}

std::vector<std::string> ruleNames() {
  std::vector<std::string> Names;
  for (const KindInfo &I : Kinds)
    if (I.K != Kind::Function && !isBesideKind(I.K))
      Names.emplace_back(I.Attribute);
  return Names;
}

} // namespace loopscope::instrument
