// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A growing array in its own memory, for the runtime's threads: it calls no
// allocator of the program and throws no exceptions.

#ifndef LOOPSCOPE_GPU_ARRAY_H
#define LOOPSCOPE_GPU_ARRAY_H

#include "base/probe.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

namespace loopscope::runtime {

/// Elements are moved by copying their bytes and never destroyed.
template <typename T> class Array {
public:
  Array() = default;
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  ~Array() {
    if (Data != nullptr)
      munmap(static_cast<void *>(Data), Bytes);
  }

  size_t size() const { return Count; }
  T &operator[](size_t I) { return Data[I]; }
  T *begin() { return Data; }
  T *end() { return Data + Count; }
  T &back() { return Data[Count - 1]; }
  void popBack() { --Count; }
  void clear() { Count = 0; }

  /// Appends; false if out of memory.
  bool push(const T &Element) {
    if ((Count + 1) * sizeof(T) > Bytes && !grow())
      return false;
    Data[Count++] = Element;
    return true;
  }

private:
  bool grow() {
    size_t Wanted = Bytes == 0 ? 16 * 1024 : Bytes * 2;
    void *Memory =
        Data == nullptr
            ? mmap(nullptr, Wanted, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            : mremap(static_cast<void *>(Data), Bytes, Wanted, MREMAP_MAYMOVE);
    if (Memory == MAP_FAILED)
      return false;
    Data = static_cast<T *>(Memory);
    Bytes = Wanted;
    return true;
  }

  T *Data = nullptr;
  size_t Count = 0;
  size_t Bytes = 0;
};

/// Indices, by the hashes of their keys.
class IndexTable {
public:
  /// The index added with HASH that IS_IT accepts, or UINT32_MAX.
  template <typename Function>
  uint32_t find(uint64_t Hash, Function IsIt) const {
    if (Slots == nullptr)
      return UINT32_MAX;
    const Slot &Found = *probe(Slots, Size, Hash, [&](const Slot &S) {
      return S.IndexPlusOne == 0 ||
             (S.Hash == Hash && IsIt(S.IndexPlusOne - 1));
    });
    return Found.IndexPlusOne - 1;
  }
  /// False if out of memory.
  bool add(uint64_t Hash, uint32_t Index);

  IndexTable() = default;
  IndexTable(const IndexTable &) = delete;
  IndexTable &operator=(const IndexTable &) = delete;
  ~IndexTable();

private:
  struct Slot {
    uint64_t Hash;
    uint32_t IndexPlusOne;
  };
  bool grow();
  static void place(Slot *Slots, size_t Size, Slot Each);

  Slot *Slots = nullptr;
  size_t Size = 0; // a power of two
  size_t Used = 0;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_ARRAY_H
