// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run says about itself: a batch size, a commit.

#ifndef LOOPSCOPE_RUN_MODEL_FACTS_H
#define LOOPSCOPE_RUN_MODEL_FACTS_H

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace loopscope {

using FactValue = std::variant<int64_t, uint64_t, double, bool, std::string>;

/// Whether two values are the same: numbers by what they are, whatever their
/// types.
bool isSame(const FactValue &A, const FactValue &B);

/// A value as people read it: texts in quotes if they aren't one word.
std::string factText(const FactValue &Value);

/// A fact. Merged runs may differ in its value.
struct RunFact {
  struct Said {
    FactValue Value;
    /// The processes that say so (RunInfo::processName); of a single run,
    /// empty. Without the initializer, GCC wants it wherever there is none.
    // NOLINTNEXTLINE(readability-redundant-member-init)
    std::vector<std::string> By = {};
  };
  std::string Name;
  std::vector<Said> Values; ///< each once, at least one

  bool differs() const { return Values.size() > 1; }
};

/// Adds the facts of a process to those of others. A process without a fact
/// that others have doesn't differ in it.
void mergeFacts(std::vector<RunFact> &To, const std::vector<RunFact> &From,
                const std::string &Process);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_FACTS_H
