// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses floating-point operations per second as people write them, for
// LOOPSCOPE=peak= and the report's --peak. A pure function, no libc.

#ifndef LOOPSCOPE_FLOPS_TEXT_H
#define LOOPSCOPE_FLOPS_TEXT_H

#include <stdint.h>

namespace loopscope {

/// Reads a decimal number with an optional unit K, M, G, T, P or E: "989T",
/// "1.979P", "312000000000000". Returns false and leaves FLOPS alone if TEXT is
/// anything else, 0, or beyond 64 bits.
inline bool parseFlops(const char *Text, uint64_t &Flops) {
  constexpr char Units[] = "KMGTPE";
  uint64_t Digits = 0;
  unsigned Places = 0, Count = 0;
  bool HasPoint = false;
  for (; (*Text >= '0' && *Text <= '9') || (*Text == '.' && !HasPoint);
       ++Text) {
    if (*Text == '.') {
      HasPoint = true;
      continue;
    }
    if (__builtin_mul_overflow(Digits, 10U, &Digits) ||
        __builtin_add_overflow(Digits, static_cast<uint64_t>(*Text - '0'),
                               &Digits))
      return false;
    ++Count;
    Places += HasPoint;
  }
  unsigned Power = 0;
  if (*Text != 0) {
    while (Units[Power / 3] != 0 && Units[Power / 3] != *Text)
      Power += 3;
    if (Units[Power / 3] == 0 || Text[1] != 0)
      return false;
    Power += 3;
  }
  for (; Power > Places; --Power)
    if (__builtin_mul_overflow(Digits, 10U, &Digits))
      return false;
  for (; Places > Power; --Places) {
    if (Digits % 10 != 0)
      return false;
    Digits /= 10;
  }
  if (Count == 0 || Digits == 0)
    return false;
  Flops = Digits;
  return true;
}

} // namespace loopscope

#endif // LOOPSCOPE_FLOPS_TEXT_H
