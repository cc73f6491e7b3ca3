// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hashes of keys of several words, and of strings.

#ifndef LOOPSCOPE_GPU_TEXT_HASH_H
#define LOOPSCOPE_GPU_TEXT_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace loopscope::runtime {

inline uint64_t mix(uint64_t Hash, uint64_t Value) {
  Hash = (Hash ^ Value) * 0x9e3779b97f4a7c15U;
  return Hash ^ (Hash >> 29);
}

inline uint64_t hashOf(const char *Text, size_t Length) {
  uint64_t Hash = mix(0, Length);
  for (; Length >= 8; Text += 8, Length -= 8) {
    uint64_t Word = 0;
    memcpy(&Word, Text, 8);
    Hash = mix(Hash, Word);
  }
  uint64_t Rest = 0;
  memcpy(&Rest, Text, Length);
  return mix(Hash, Rest);
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_TEXT_HASH_H
