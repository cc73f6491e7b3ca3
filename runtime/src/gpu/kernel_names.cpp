// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of kernels' names, each text once.

#include "kernel_names.h"

#include "base/memory.h"
#include "base/system.h"
#include "profile/sites.h"
#include "text_hash.h"
#include "tree/extension.h"

#include <string.h>

using namespace loopscope::runtime;

bool KernelNames::create() {
  void *Memory =
      reserveMemory(Size * sizeof(Known) + MostNames * sizeof(*Texts));
  if (Memory == nullptr)
    return false;
  Table = static_cast<Known *>(Memory);
  Texts = reinterpret_cast<const char **>(Table + Size);
  return true;
}

KernelName KernelNames::noteRecorded(const char *Name, uint64_t Launched) {
  pthread_mutex_lock(&Mutex);
  bool IsThere = LastUnload == 0 || Launched > LastUnload;
  KernelName Copy = IsThere ? copyOf(Name) : 0;
  pthread_mutex_unlock(&Mutex);
  return Copy;
}

void KernelNames::unload(uint64_t Ticks) {
  pthread_mutex_lock(&Mutex);
  LastUnload = Ticks;
  __atomic_store_n(&Unloads, Unloads + MostNames, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&Mutex);
}

KernelName KernelNames::add(const char *Name) {
  pthread_mutex_lock(&Mutex);
  KernelName Copy = addLocked(Name);
  pthread_mutex_unlock(&Mutex);
  return Copy;
}

KernelName KernelNames::addLocked(const char *Name) {
  Known &K = Table[slotOf(Name)];
  if (K.Name == Name && K.Copy - Unloads < MostNames)
    return static_cast<KernelName>(K.Copy);
  KernelName Copy = copyOf(Name);
  if (Copy == 0)
    return 0;
  // No store may be moved before the one that invalidates the entry.
  __atomic_store_n(&K.Name, static_cast<const char *>(nullptr),
                   __ATOMIC_RELAXED);
  __atomic_store_n(&K.Copy, Unloads + Copy, __ATOMIC_RELEASE);
  __atomic_store_n(&K.Name, Name, __ATOMIC_RELEASE);
  return Copy;
}

// Whether an extension wants to hear of the kernel's launches.
static bool isWanted(const char *Name) {
  for (const Extension *Each : Extensions)
    if (Each->WantsKernel != nullptr && Each->WantsKernel(Name))
      return true;
  return false;
}

KernelName KernelNames::copyOf(const char *Name) {
  size_t Length = strnlen(Name, MaxString);
  uint64_t Hash = hashOf(Name, Length);
  uint32_t Found = ByText.find(Hash, [&](uint32_t I) {
    return strlen(Texts[I]) == Length && memcmp(Texts[I], Name, Length) == 0;
  });
  if (Found != UINT32_MAX)
    return static_cast<KernelName>(Found);
  if (Count + 1 == MostNames)
    return 0;
  char *Text = TextMemory.take(Length + 2);
  if (Text == nullptr || !ByText.add(Hash, Count + 1))
    return 0;
  ++Text;
  memcpy(Text, Name, Length); // ends in a NUL already
  Text[-1] = isWanted(Text) ? 1 : 0;
  Texts[++Count] = Text;
  return static_cast<KernelName>(Count);
}
