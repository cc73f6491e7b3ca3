// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Amounts: what a mark says beside its name, as an expression that the hooks
// evaluate. A row of the table is all that finding, selections, edits and dumps
// know of one. Those of loopscope/amounts.h are rows here by themselves.

#ifndef LOOPSCOPE_INSTRUMENT_MODEL_AMOUNTS_H
#define LOOPSCOPE_INSTRUMENT_MODEL_AMOUNTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <loopscope/amounts.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace loopscope::instrument {

enum class Kind;

/// Those of an attribute's own argument first.
enum class Quantity {
  Samples,
  Bytes,
#define LOOPSCOPE_ROW(NAME, IDENTIFIER, NOUN) IDENTIFIER,
  __LOOPSCOPE_AMOUNTS(LOOPSCOPE_ROW)
#undef LOOPSCOPE_ROW
      Iterations,
  Key,
  Count
};

struct QuantityInfo {
  Quantity Q;
  llvm::StringLiteral Name; ///< In messages and dumps.
  llvm::StringLiteral Key;  ///< In a selection's rule.
  /// The attribute beside a mark that gives it; none: the mark's own argument.
  std::optional<Kind> By;
  /// Whether marks of a kind may have it.
  bool (*MayHave)(Kind);
  /// The hook after the span's, "" if only steps have it, and the one in each
  /// step of a loop, "" if the loop's span has it: without "__LOOPSCOPE_". A
  /// key has neither: it is part of the span's own hook.
  llvm::StringLiteral Hook;
  llvm::StringLiteral StepHook;
  /// Both hooks take the Key before the expression.
  bool IsHookNamed = false;

  /// Whether it is evaluated in each step of a loop of kind \p K.
  bool isOfSteps(Kind K) const;
};

/// The OBJECT of a key `type(OBJECT)`, which is its dynamic type; none: the key
/// is something else.
std::optional<llvm::StringRef> objectOfKey(llvm::StringRef Expression);

/// All of them, in the order of Quantity.
llvm::ArrayRef<QuantityInfo> quantities();
const QuantityInfo &info(Quantity Q);
/// What the attribute \p K takes: as its argument, or, if it stands beside
/// another, for that one. Null: nothing.
const QuantityInfo *quantityOf(Kind K);

/// A value for each quantity.
template <typename T> class PerQuantity {
public:
  T &operator[](Quantity Q) { return All[static_cast<size_t>(Q)]; }
  const T &operator[](Quantity Q) const { return All[static_cast<size_t>(Q)]; }
  bool operator==(const PerQuantity &) const = default;

private:
  std::array<T, static_cast<size_t>(Quantity::Count)> All;
};

/// An amount of a construct that can be instrumented.
struct Amount {
  std::string Text; ///< C or C++ expression, or "".
  unsigned At = 0;  ///< Of steps: where the hook goes; 0: top of the body.
  bool operator==(const Amount &) const = default;
};

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_MODEL_AMOUNTS_H
