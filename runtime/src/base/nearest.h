// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Suggests what a misspelt word of LOOPSCOPE= may have meant. The same rules as
// lib/Support/Suggest.h has for the tools, but nothing is allocated.

#ifndef LOOPSCOPE_BASE_NEAREST_H
#define LOOPSCOPE_BASE_NEAREST_H

#include <stddef.h>

namespace loopscope::runtime {

/// The nearest of some words to a given one. Up to a third of its letters may
/// be wrong, missing or extra; two swapped letters count as one mistake.
class Nearest {
public:
  explicit Nearest(const char *Word);

  /// Considers the first LENGTH letters of NAME; the suggestion will be SHOWN.
  void consider(const char *Name, size_t Length, const char *Shown);

  /// The SHOWN of the nearest word, the first of equals; null if none is near.
  const char *best() const { return Best; }

private:
  const char *Word;
  size_t Size;
  size_t Limit; ///< letters that may be wrong
  const char *Best = nullptr;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_NEAREST_H
