// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words of LOOPSCOPE=, and what their parsers share.

#ifndef LOOPSCOPE_BASE_OPTION_WORDS_H
#define LOOPSCOPE_BASE_OPTION_WORDS_H

#include "system.h"

namespace loopscope::runtime {

struct Options;

/// A word of LOOPSCOPE=.
struct OptionWord {
  /// As shown in the list of choices: "log=FILE", or "progress" if the word
  /// takes no value. The part before '=' is its name.
  const char *Choice;
  /// Parses VALUE and may modify it; null if the word takes no value. False:
  /// MESSAGE says what is wrong.
  bool (*Parse)(char *Value, Options &Core, Text &Message);
};

struct OptionWords {
  const OptionWord *First = nullptr;
  uint32_t Count = 0;

  constexpr OptionWords() = default;
  template <uint32_t N>
  constexpr OptionWords(const OptionWord (&All)[N]) : First(All), Count(N) {}

  const OptionWord *begin() const { return First; }
  const OptionWord *end() const { return First + Count; }
};

/// For Parse functions: copies VALUE of WORD into a field of SIZE bytes. False
/// if it is empty or too long.
bool copyValue(char *Field, size_t Size, const char *Value, const char *Word,
               Text &Message);

/// The index of VALUE among the COUNT NAMES that WORD takes; COUNT if it isn't
/// there.
uint32_t chooseValue(const char *Value, const char *const *Names,
                     uint32_t Count, const char *Word, Text &Message);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_OPTION_WORDS_H
