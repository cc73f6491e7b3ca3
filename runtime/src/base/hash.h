// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FNV-1a with 64 bits, for tables of texts (probe.h).

#ifndef LOOPSCOPE_BASE_HASH_H
#define LOOPSCOPE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime {

/// The hash of nothing.
constexpr uint64_t EmptyHash = 0xcbf29ce484222325U;

/// The hash of what HASH is of, followed by VALUE, usually a byte.
constexpr uint64_t addToHash(uint64_t Hash, uint64_t Value) {
  return (Hash ^ Value) * 0x100000001b3U;
}

/// The same for SIZE bytes of DATA.
inline uint64_t addToHash(uint64_t Hash, const void *Data, size_t Size) {
  const auto *Bytes = static_cast<const unsigned char *>(Data);
  for (size_t I = 0; I < Size; ++I)
    Hash = addToHash(Hash, Bytes[I]);
  return Hash;
}

/// HASH with high bits in the low ones, which choose a place.
constexpr uint64_t foldHash(uint64_t Hash) { return Hash ^ (Hash >> 32); }

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_HASH_H
