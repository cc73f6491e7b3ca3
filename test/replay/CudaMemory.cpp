// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the simulated devices, with a record for each allocation.

#include "fake_cuda.h"

#include "Cuda.h"
#include "Cupti.h"
#include "Device.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <utility>

using namespace replay;
namespace cupti = loopscope::runtime::cupti;

namespace {
// Memory allocated by the program.
struct Allocation {
  size_t Bytes;
  uint32_t Type;
  uint32_t Device;
  bool IsOfPool;
};
// Each device has one, which grows by whole pages of 2 MiB and keeps them, as
// with the highest release threshold.
struct Pool {
  uint64_t Bytes = 0;
  uint64_t UsedBytes = 0;
};
constexpr uint64_t PoolPage = uint64_t(2) << 20;
std::map<uint32_t, Pool> &pools() {
  static auto &All = *new std::map<uint32_t, Pool>;
  return All;
}
std::mutex MemoryMutex;
std::map<void *, Allocation> &allocations() {
  static auto &All = *new std::map<void *, Allocation>; // used even at exit
  return All;
}

void noteMemory(cupti::MemoryOperation Operation, void *Memory, Allocation A,
                uint32_t Correlation) {
  Work W;
  W.Kind = cupti::MemoryKind;
  W.CopyKind = Operation;
  W.MemoryType = A.Type;
  W.Bytes = A.Bytes;
  W.Address = reinterpret_cast<uint64_t>(Memory);
  if (A.IsOfPool) {
    Pool &Of = pools()[A.Device];
    Of.UsedBytes += Operation == cupti::Allocation ? A.Bytes : -A.Bytes;
    Of.Bytes =
        std::max(Of.Bytes, (Of.UsedBytes + PoolPage - 1) / PoolPage * PoolPage);
    W.PoolBytes = Of.Bytes;
    W.PoolUsedBytes = Of.UsedBytes;
  }
  putNow(std::move(W), CurrentDevice, Correlation);
}

cudaError_t allocate(const char *Call, const char *Function, void **Memory,
                     Allocation A) {
  ApiCall Api(cupti::Runtime, Call);
  if (auto Code = failure(Function))
    return *Code;
  // Test programs that never touch the memory may allocate more than any host
  // has.
  bool IsHuge = A.Bytes > (size_t(1) << 30);
  *Memory = ::operator new(IsHuge ? 1 : A.Bytes);
  A.Device = CurrentDevice;
  std::lock_guard Lock(MemoryMutex);
  allocations()[*Memory] = A;
  noteMemory(cupti::Allocation, *Memory, A, Api.correlation());
  return cudaSuccess;
}

cudaError_t release(const char *Call, void *Memory) {
  ApiCall Api(cupti::Runtime, Call);
  std::lock_guard Lock(MemoryMutex);
  auto Found = allocations().find(Memory);
  if (Found == allocations().end())
    return cudaSuccess;
  noteMemory(cupti::Release, Memory, Found->second, Api.correlation());
  allocations().erase(Found);
  ::operator delete(Memory);
  return cudaSuccess;
}
} // namespace

void replay::forgetMemory(uint32_t Device) {
  std::lock_guard Lock(MemoryMutex);
  for (auto Each = allocations().begin(); Each != allocations().end();) {
    if (Each->second.Device == Device) {
      ::operator delete(Each->first);
      Each = allocations().erase(Each);
    } else {
      ++Each;
    }
  }
}

extern "C" {
cudaError_t cudaMalloc(void **Memory, size_t Bytes) {
  return allocate("cudaMalloc_v3020", "cudaMalloc", Memory,
                  {Bytes, cupti::DeviceMemory, 0, false});
}

cudaError_t cudaMallocAsync(void **Memory, size_t Bytes,
                            cudaStream_t /*Stream*/) {
  return allocate("cudaMallocAsync_v11020", "cudaMallocAsync", Memory,
                  {Bytes, cupti::DeviceMemory, 0, true});
}

cudaError_t cudaMallocManaged(void **Memory, size_t Bytes, unsigned /*Flags*/) {
  return allocate("cudaMallocManaged_v6000", "cudaMallocManaged", Memory,
                  {Bytes, cupti::ManagedMemory, 0, false});
}

cudaError_t cudaMallocHost(void **Memory, size_t Bytes) {
  return allocate("cudaMallocHost_v3020", "cudaMallocHost", Memory,
                  {Bytes, cupti::PinnedMemory, 0, false});
}

cudaError_t cudaHostAlloc(void **Memory, size_t Bytes, unsigned /*Flags*/) {
  return cudaMallocHost(Memory, Bytes);
}

cudaError_t cudaFree(void *Memory) { return release("cudaFree_v3020", Memory); }

cudaError_t cudaFreeAsync(void *Memory, cudaStream_t /*Stream*/) {
  return release("cudaFreeAsync_v11020", Memory);
}

cudaError_t cudaFreeHost(void *Memory) {
  return release("cudaFreeHost_v3020", Memory);
}
}
