// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of kernels, copied while they are readable. CUDA's strings disappear
// with their module, the next module may reuse the address, and records arrive
// long after. So a launch stores its kernel's name for its records; a record's
// own string is read only if no module can have been unloaded since its launch.

#ifndef LOOPSCOPE_GPU_KERNEL_NAMES_H
#define LOOPSCOPE_GPU_KERNEL_NAMES_H

#include "array.h"

#include "base/arena.h"

#include <pthread.h>
#include <stdint.h>

namespace loopscope::runtime {

/// The number of a copy; 0: none.
using KernelName = uint16_t;

class KernelNames {
public:
  /// Allocates the memory; false if that fails. At most once.
  bool create();

  /// The copy of NAME, the kernel of a launch on the calling thread. Takes no
  /// lock if the name was noted since the last module was unloaded; 0 if out of
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

  /// The same for the string of a record, if the module of its launch at
  /// LAUNCHED (ticks; 0: unknown) is still loaded; else 0. Any thread.
  KernelName noteRecorded(const char *Name, uint64_t Launched);

  /// A module, or a context with all its modules, will be unloaded at TICKS.
  void unload(uint64_t Ticks);

  /// The text of a copy; NAME isn't 0. Valid forever.
  const char *text(KernelName Name) const { return Texts[Name]; }

  /// Whether the kernel belongs to a communication library.
  bool communicates(KernelName Name) const {
    return Name != 0 && Texts[Name][-1] != 0;
  }

private:
  // One of CUDA's strings.
  struct Known {
    const char *Name; // null: unused; written last
    uint64_t Copy;    // its number, and Unloads at the time of the copy
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

  Known *Table = nullptr;
  const char **Texts = nullptr; // after a byte: whether it communicates
  uint64_t Unloads = 0;         // times MostNames
  // Held while a string of CUDA's is read, and while strings disappear.
  pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  uint64_t LastUnload = 0; // ticks; 0: never
  uint32_t Count = 0;
  IndexTable ByText;
  Arena<128 * size_t(1024), 1> TextMemory;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_KERNEL_NAMES_H
