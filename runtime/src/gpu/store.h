// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profile's GPU records: found by key, made on first use, updated in place.
// One thread at a time.

#ifndef LOOPSCOPE_GPU_STORE_H
#define LOOPSCOPE_GPU_STORE_H

#include "array.h"
#include "profile/chunks.h"
#include "profile/profile_file.h"
#include "work.h"

namespace loopscope::runtime {

/// Entries of one type, in as many chunks as they need.
template <typename T, loopscope_chunk_type Type, uint32_t PerChunk>
class EntryList {
public:
  uint32_t size() { return static_cast<uint32_t>(Places.size()); }
  T &operator[](uint32_t Index) { return *Places[Index]; }

  /// Adds a copy of NEW to the profile. Null if out of memory. Lock held.
  T *append(const T &New) {
    if (Last == nullptr || Last->used >= Last->capacity) {
      Chunk *C = addChunk(Type, size(), PerChunk, sizeof(T), 0);
      if (C == nullptr)
        return nullptr;
      Last = C;
    }
    T *Place = reinterpret_cast<T *>(entries(Last)) + Last->used;
    if (!Places.push(Place))
      return nullptr;
    *Place = New;
    __atomic_store_n(&Last->used, Last->used + 1, __ATOMIC_RELEASE);
    return Place;
  }

private:
  Array<T *> Places;
  Chunk *Last = nullptr;
};

/// Keeps an entry's sequence odd during its lifetime.
template <typename T> class Update {
public:
  explicit Update(T &Entry) : Sequence(Entry.sequence) { change(); }
  ~Update() { change(); }
  Update(const Update &) = delete;
  Update &operator=(const Update &) = delete;

private:
  void change() {
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&Sequence, Sequence + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
  }
  uint32_t &Sequence;
};

/// Every function that returns a pointer returns null if out of memory. The
/// profile must be open.
class GpuStore {
public:
  using Device = loopscope_gpu_device;
  using Work = loopscope_gpu_work;
  using NodeSums = loopscope_gpu_node;
  using Wait = loopscope_gpu_wait;
  using Memory = loopscope_gpu_memory;
  using Overlap = loopscope_gpu_overlap;
  using SameWork = loopscope_gpu_same_work;
  using Use = loopscope_gpu_use;

  /// Number of devices so far.
  uint32_t deviceCount() { return Devices.size(); }
  /// The index of a device, in order of appearance; new ones have unknown
  /// facts. UINT32_MAX if out of memory.
  uint32_t deviceIndex(uint32_t Id);
  Device &device(uint32_t Index) { return Devices[Index]; }
  /// Stores facts about a device. A device that the program can't see changes
  /// nothing about one that it can see: instances of a GPU may share an id.
  void describe(const DeviceFacts &Facts);

  /// The index of a kernel's name; LOOPSCOPE_NONE if out of memory.
  uint32_t function(const char *Name);
  /// The same for the name of a CUDA call, LENGTH characters long; always adds
  /// an entry. Any thread.
  uint32_t addCall(const char *Name, size_t Length);

  /// The index of the sums for work like W, charged to NODE; UINT32_MAX if out
  /// of memory. FUNCTION is its kernel, MADE_IN as in loopscope_gpu_work.
  uint32_t workIndex(const DeviceWork &W, uint32_t Node, uint32_t Function,
                     uint32_t MadeIn);
  Work &work(uint32_t Index) { return Works[Index]; }
  /// The index of the union of all work with the same name as that at WORK;
  /// UINT32_MAX if memory ran out.
  uint32_t sameWorkIndex(uint32_t Work) { return SameWorkOf[Work]; }
  SameWork &sameWork(uint32_t Index) { return SameWorks[Index]; }
  /// The sums for memory of KIND on a device.
  Memory *memory(uint32_t Node, uint32_t DeviceId,
                 loopscope_gpu_memory_kind Kind);
  uint32_t nodeIndex(uint32_t Node, uint32_t DeviceId);
  NodeSums &node(uint32_t Index) { return Nodes[Index]; }
  Wait *wait(uint32_t Waiter, uint32_t Worker);
  /// The sums for the device, nodes and kernels of KEY, whose other numbers are
  /// 0. Also null if there are MostOverlaps and KEY has several nodes.
  Overlap *overlap(const Overlap &Key);
  static constexpr uint32_t MostOverlaps = 1U << 15; // 4 MiB
  /// The sums of a device's use; the last three as in loopscope_gpu_use.
  Use *use(uint32_t Node, uint32_t DeviceId, uint16_t Which, uint16_t Owner);

private:
  struct KnownName {
    const char *Name; // in the profile, not NUL-terminated
    size_t Length;
    uint32_t Function;
  };

  uint32_t addFunction(const char *Name, size_t Length, const char *&Copy);
  uint32_t addSameWork(const Work &Of);

  EntryList<Device, LOOPSCOPE_CHUNK_GPU_DEVICES, 25> Devices;
  EntryList<loopscope_gpu_function, LOOPSCOPE_CHUNK_GPU_FUNCTIONS, 168>
      Functions;
  EntryList<Work, LOOPSCOPE_CHUNK_GPU_WORK, 76> Works;
  EntryList<SameWork, LOOPSCOPE_CHUNK_GPU_SAME_WORK, 126> SameWorks;
  EntryList<NodeSums, LOOPSCOPE_CHUNK_GPU_NODES, 63> Nodes;
  EntryList<Wait, LOOPSCOPE_CHUNK_GPU_WAITS, 168> Waits;
  EntryList<Memory, LOOPSCOPE_CHUNK_GPU_MEMORY, 63> Memories;
  EntryList<Overlap, LOOPSCOPE_CHUNK_GPU_OVERLAPS, 95> Overlapping;
  EntryList<Use, LOOPSCOPE_CHUNK_GPU_USE, 63> Uses;
  uint64_t Hidden = 0; // bits by index: described by a hidden device
  Array<KnownName> Names;
  Array<uint32_t> SameWorkOf; // indexed by work
  IndexTable ByName;
  IndexTable ByWork;
  IndexTable BySameWork;
  IndexTable ByNode;
  IndexTable ByWait;
  IndexTable ByMemory;
  IndexTable ByOverlap;
  IndexTable ByUse;
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_STORE_H
