// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of amounts.

#include "Instrument/Model/Amounts.h"

#include "Instrument/Model/Model.h"

#include "llvm/ADT/STLExtras.h"

#include <cstddef>
#include <iterator>

namespace loopscope::instrument {

static bool isCollective(Kind K) { return K == Kind::Collective; }
static bool mayHaveAmount(Kind K) { return isStepKind(K) || K == Kind::Phase; }
static bool mayHaveKey(Kind K) {
  return K == Kind::Phase || K == Kind::Wait || K == Kind::Epoch ||
         isStageKind(K);
}

static constexpr QuantityInfo Quantities[] = {
    {Quantity::Samples, "samples", "samples", std::nullopt, isStepKind, "",
     "SAMPLES"},
    {Quantity::Bytes, "bytes", "bytes", std::nullopt, isCollective, "BYTES",
     ""},
#define LOOPSCOPE_ROW(NAME, IDENTIFIER, NOUN)                                  \
  {Quantity::IDENTIFIER, NOUN,     #NAME,         Kind::IDENTIFIER,            \
   mayHaveAmount,        "AMOUNT", "STEP_AMOUNT", true},
    __LOOPSCOPE_AMOUNTS(LOOPSCOPE_ROW)
#undef LOOPSCOPE_ROW
        {Quantity::Iterations, "iterations", "iterations", Kind::Iterations,
         isLoopKind, "ITERATIONS", ""},
    {Quantity::Key, "key", "key", Kind::Key, mayHaveKey, "", ""},
};

static_assert(std::size(Quantities) == static_cast<size_t>(Quantity::Count));

bool QuantityInfo::isOfSteps(Kind K) const {
  return isStepKind(K) && !StepHook.empty();
}

llvm::ArrayRef<QuantityInfo> quantities() { return Quantities; }

const QuantityInfo &info(Quantity Q) {
  return Quantities[static_cast<size_t>(Q)];
}

const QuantityInfo *quantityOf(Kind K) {
  const auto *Found = llvm::find_if(Quantities, [&](const QuantityInfo &I) {
    return I.By ? *I.By == K : I.MayHave(K);
  });
  return Found == std::end(Quantities) ? nullptr : Found;
}

} // namespace loopscope::instrument
