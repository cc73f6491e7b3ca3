// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for small objects that live as long as the process: it is taken from
// blocks and never given back.

#ifndef LOOPSCOPE_BASE_ARENA_H
#define LOOPSCOPE_BASE_ARENA_H

#include "memory.h"

#include <stddef.h>

namespace loopscope::runtime {

/// Blocks have BLOCK_SIZE bytes; objects begin at multiples of ALIGNMENT, 1 to
/// 16. One thread at a time takes, any thread may ask. Use only in static
/// storage or zeroed memory.
template <size_t BlockSize, size_t Alignment = 16> class Arena {
public:
  /// The most bytes of an object.
  static constexpr size_t Most = BlockSize - 16;

  /// SIZE zeroed bytes, at most Most; null if out of memory.
  char *take(size_t Size) {
    Size = (Size + Alignment - 1) & ~(Alignment - 1);
    if (Size > Left && !addBlock())
      return nullptr;
    char *Taken = Free;
    Free += Size;
    Left -= Size;
    return Taken;
  }

  /// Whether ADDRESS is in a block.
  bool has(const void *Address) const {
    const auto *At = static_cast<const char *>(Address);
    const Block *B = __atomic_load_n(&Newest, __ATOMIC_ACQUIRE);
    for (; B != nullptr; B = B->Older)
      if (At >= B->Objects && At < B->Objects + Most)
        return true;
    return false;
  }

private:
  static_assert(Alignment <= 16 && (Alignment & (Alignment - 1)) == 0);
  struct alignas(16) Block {
    Block *Older;
    alignas(16) char Objects[Most];
  };
  static_assert(sizeof(Block) == BlockSize);

  bool addBlock() {
    auto *New = static_cast<Block *>(mapMemory(sizeof(Block)));
    if (New == nullptr)
      return false;
    New->Older = Newest;
    __atomic_store_n(&Newest, New, __ATOMIC_RELEASE);
    Free = New->Objects;
    Left = Most;
    return true;
  }

  Block *Newest = nullptr;
  char *Free = nullptr;
  size_t Left = 0;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_ARENA_H
