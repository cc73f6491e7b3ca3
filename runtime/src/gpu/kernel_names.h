// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of kernels, copied while they can be read. CUDA's strings go with their
// module, the next module may have others at the same place, and records come
// long after. So a launch notes its kernel's name, and its records are given
// that; a record's own string is read only when no module can have gone since
// its launch.

#ifndef LOOPSCOPE_GPU_KERNEL_NAMES_H
#define LOOPSCOPE_GPU_KERNEL_NAMES_H

#include "array.h"

#include <pthread.h>
#include <stdint.h>

namespace loopscope::runtime {

/// The number of a copy; 0 is none.
using KernelName = uint16_t;

class KernelNames {
public:
  /// Gets the memory; false without. At most once.
  bool create();

  /// The copy of NAME, which a launch on the calling thread names. No lock
  /// where the name was noted since a module was unloaded last; 0 without
  /// memory.
  [[gnu::always_inline]] KernelName note(const char *Name) {
    const Known &K = Table[slotOf(Name)];
    uint64_t Since = __atomic_load_n(&Unloads, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&K.Name, __ATOMIC_ACQUIRE) != Name)
      return add(Name);
    uint64_t Copy = __atomic_load_n(&K.Copy, __ATOMIC_ACQUIRE) - Since;
    if (Copy >= MostNames || __atomic_load_n(&K.Name, __ATOMIC_RELAXED) != Name)
      return add(Name);
    return static_cast<KernelName>(Copy);
  }

  /// The same for the string of a record, if what was launched at LAUNCHED
  /// (ticks; 0: not known) has its module still; else 0. Any thread.
  KernelName noteRecorded(const char *Name, uint64_t Launched);

  /// A module, or a context with all of its modules, is about to go at TICKS.
  void unload(uint64_t Ticks);

  /// The text of a copy but 0; it stays.
  const char *text(KernelName Name) const { return Texts[Name]; }

  /// Whether the kernel is a communication library's.
  bool communicates(KernelName Name) const {
    return Name != 0 && Texts[Name][-1] != 0;
  }

private:
  // Of a string of CUDA's.
  struct Known {
    const char *Name; // null: unused; changes last
    uint64_t Copy;    // its number, and Unloads when it was noted
  };
  static constexpr uint32_t Size = 1U << 12;
  static constexpr uint32_t MostNames = 1U << 16;

  static uint32_t slotOf(const char *Name) {
    uint64_t Address = reinterpret_cast<uintptr_t>(Name);
    return (Address ^ Address >> 12) & (Size - 1);
  }

  [[gnu::cold, gnu::noinline]] KernelName add(const char *Name);
  KernelName addLocked(const char *Name);
  KernelName copyOf(const char *Name);
  char *room(size_t Bytes);

  Known *Table = nullptr;
  const char **Texts = nullptr; // behind a byte: whether it communicates
  uint64_t Unloads = 0;         // times MostNames
  // Taken by what reads a string of CUDA's that may go, and by what lets it go.
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  uint64_t LastUnload = 0; // ticks; 0: none
  uint32_t Count = 0;
  IndexTable ByText;
  char *Free = nullptr;
  size_t FreeBytes = 0;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_KERNEL_NAMES_H
