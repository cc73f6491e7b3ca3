// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses numbers in files of /proc and of control groups.

#ifndef LOOPSCOPE_DEVICES_PROC_TEXT_H
#define LOOPSCOPE_DEVICES_PROC_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace loopscope::runtime {

/// Reads the number at AT and moves AT after it; false if there is none.
inline bool takeNumber(const char *&At, uint64_t &Number) {
  while (*At == ' ')
    ++At;
  if (*At < '0' || *At > '9')
    return false;
  uint64_t Value = 0;
  for (; *At >= '0' && *At <= '9'; ++At)
    Value = Value * 10 + static_cast<uint64_t>(*At - '0');
  Number = Value;
  return true;
}

/// Reads the number after NAME at the start of a line.
inline bool findNumber(const char *Text, const char *Name, uint64_t &Number) {
  size_t Length = strlen(Name);
  for (const char *Line = Text; Line != nullptr && *Line != 0;) {
    if (strncmp(Line, Name, Length) == 0) {
      const char *At = Line + Length;
      return takeNumber(At, Number);
    }
    Line = strchr(Line, '\n');
    Line = Line == nullptr ? nullptr : Line + 1;
  }
  return false;
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_DEVICES_PROC_TEXT_H
