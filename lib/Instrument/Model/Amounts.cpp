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

// Brackets match, which whoever read the expression has checked.
std::optional<llvm::StringRef> objectOfKey(llvm::StringRef Expression) {
  llvm::StringRef Rest = Expression.trim();
  if (!Rest.consume_front("type"))
    return std::nullopt;
  Rest = Rest.ltrim();
  if (!Rest.starts_with("(") || !Rest.ends_with(")"))
    return std::nullopt;
  // The first bracket must be the last one's: type(a) == type(b) is none.
  int Depth = 0;
  for (size_t At = 0; At < Rest.size(); ++At) {
    Depth += Rest[At] == '(' ? 1 : Rest[At] == ')' ? -1 : 0;
    if (Depth == 0 && At + 1 != Rest.size())
      return std::nullopt;
  }
  return Rest.drop_front().drop_back().trim();
}

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
