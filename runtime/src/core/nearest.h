// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a misspelt word of LOOPSCOPE= may have been meant to be. As
// lib/Support/Suggest.h has it for the tools, but nothing is allocated.

#ifndef LOOPSCOPE_CORE_NEAREST_H
#define LOOPSCOPE_CORE_NEAREST_H

#include <stddef.h>

namespace loopscope::runtime {

/// The nearest of some words to a given one: a third of its letters may be
/// wrong, missing or too many, and two that changed places count as one.
class Nearest {
public:
  explicit Nearest(const char *Word);

  /// Considers the first LENGTH letters of NAME; SHOWN stands for it.
  void consider(const char *Name, size_t Length, const char *Shown);

  /// The SHOWN of the nearest, the first among equals; null where none is near.
  const char *best() const { return Best; }

private:
  const char *Word;
  size_t Size;
  size_t Limit; ///< letters that may be wrong
  const char *Best = nullptr;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_NEAREST_H
