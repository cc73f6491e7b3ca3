// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pragmas of OpenMP and OpenACC, and hints for loops.

#include "Support/LoopPragmas.h"

#include <algorithm>
#include <span>

using namespace loopscope;

namespace {
// Directives without a statement of their own.
constexpr std::string_view OpenMpAlone[] = {
    "barrier",  "cancel",    "cancellation", "declare", "depobj",
    "end",      "error",     "flush",        "interop", "requires",
    "taskwait", "taskyield", "threadprivate"};
constexpr std::string_view OpenAccAlone[] = {
    "declare", "enter", "exit", "init", "set", "shutdown", "update", "wait"};
constexpr std::string_view GccHints[] = {"ivdep", "novector", "unroll"};

bool isOneOf(std::string_view Word, std::span<const std::string_view> List) {
  return std::ranges::find(List, Word) != List.end();
}
} // namespace

bool loopscope::mayBelongToLoop(std::string_view First,
                                std::string_view Second) {
  if (First == "omp")
    return !isOneOf(Second, OpenMpAlone);
  if (First == "acc")
    return !isOneOf(Second, OpenAccAlone);
  if (First == "GCC")
    return isOneOf(Second, GccHints);
  return First == "ivdep" || First.starts_with("unroll") ||
         First.starts_with("nounroll") ||
         (First == "clang" && Second == "loop");
}
