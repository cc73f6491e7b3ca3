// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and chooses values.

#include "option_words.h"

#include <string.h>

using namespace loopscope::runtime;

bool loopscope::runtime::copyValue(char *Field, size_t Size, const char *Value,
                                   const char *Word, Text &Message) {
  if (*Value != 0 && strlen(Value) < Size) {
    copyHead(Field, Size, Value);
    return true;
  }
  Message << "LOOPSCOPE: '" << Word << "' needs a value of 1 to "
          << static_cast<int64_t>(Size - 1) << " characters";
  return false;
}

uint32_t loopscope::runtime::chooseValue(const char *Value,
                                         const char *const *Names,
                                         uint32_t Count, const char *Word,
                                         Text &Message) {
  for (uint32_t I = 0; I < Count; ++I)
    if (strcmp(Names[I], Value) == 0)
      return I;
  Message << "LOOPSCOPE: '" << Word << "' is ";
  for (uint32_t I = 0; I < Count; ++I)
    Message << (I == 0 ? "" : I + 1 == Count ? " or " : ", ") << Names[I];
  Message << ", not '" << Value << '\'';
  return Count;
}
