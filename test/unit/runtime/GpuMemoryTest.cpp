// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU memory: who allocated how much, and how much was held at once.

#include "GpuFixture.h"

#include "profile/profile_file.h"

#include <loopscope/profile_counters.h>

using namespace loopscope::runtime;

namespace {
class GpuMemoryTest : public GpuTest {
protected:
  // An allocation or release at ADDRESS, in A's call 1 or B's call 2.
  void allocate(uint32_t Correlation, uint64_t At, uint64_t Address,
                uint64_t Bytes, bool Frees = false) {
    MemoryOperation M;
    M.Kind = LOOPSCOPE_GPU_DEVICE_MEMORY;
    M.Frees = Frees;
    M.Correlation = Correlation;
    M.Start = At;
    M.Address = Address << 8;
    M.Bytes = Bytes;
    Adding->addMemory(M, Late);
  }
  void free(uint32_t Correlation, uint64_t At, uint64_t Address,
            uint64_t Bytes) {
    allocate(Correlation, At, Address, Bytes, true);
  }
  static loopscope_gpu_memory memoryOf(uint32_t Node) {
    return one<loopscope_gpu_memory>(
        LOOPSCOPE_CHUNK_GPU_MEMORY,
        [&](const loopscope_gpu_memory &M) { return M.node == Node; });
  }
};

TEST_F(GpuMemoryTest, MemoryPeaksInOrderOfTime) {
  call(1, A);
  call(2, B);
  allocate(2, 1400, 3, 500); // records arrive out of order
  free(1, 1300, 1, 100);
  allocate(1, 1200, 2, 40);
  allocate(1, 1100, 1, 100);
  settle(UINT64_MAX);
  loopscope_gpu_memory M = memoryOf(A);
  EXPECT_EQ(M.allocations, 2U);
  EXPECT_EQ(M.allocated_bytes, 140U);
  EXPECT_EQ(M.frees, 1U);
  EXPECT_EQ(M.freed_bytes, 100U);
  EXPECT_EQ(M.peak_bytes, 140U);
  EXPECT_EQ(memoryOf(B).peak_bytes, 540U);
  EXPECT_EQ(Store->device(0).memory_peak, 540U);
  EXPECT_EQ(Store->device(0).memory_peak_node, B);
  EXPECT_EQ(Store->device(0).memory_now, 540U);
}

TEST_F(GpuMemoryTest, FreesOfEarlierMemoryAreIgnored) {
  call(1, A);
  allocate(1, 1100, 1, 100);
  free(1, 1200, 77, 5000); // allocated before collection began
  allocate(1, 1300, 2, 1);
  settle(UINT64_MAX);
  EXPECT_EQ(memoryOf(A).peak_bytes, 101U);
  EXPECT_EQ(memoryOf(A).frees, 1U);
  EXPECT_EQ(Store->device(0).memory_now, 101U);
}

TEST_F(GpuMemoryTest, MemoryEndsWithItsContext) {
  call(1, A);
  for (uint64_t I = 1; I <= 2000; ++I)
    allocate(1, 1000 + I, I, 10);
  Adding->endContext(7, 4000); // another one
  allocate(1, 5000, 3000, 1);
  Adding->endContext(0, 6000);
  allocate(1, 7000, 3001, 2);
  settle(UINT64_MAX);
  EXPECT_EQ(Store->device(0).memory_peak, 20001U);
  EXPECT_EQ(Store->device(0).memory_now, 2U);
}

TEST_F(GpuMemoryTest, AReusedAddressWasFreed) {
  call(1, A);
  allocate(1, 1100, 1, 100);
  allocate(1, 1200, 1, 30);
  settle(UINT64_MAX);
  EXPECT_EQ(Store->device(0).memory_now, 30U);
  EXPECT_EQ(Store->device(0).memory_peak, 100U);
}

TEST_F(GpuMemoryTest, LateMemoryIsCountedAndReported) {
  call(1, A);
  allocate(1, 2000, 1, 100);
  settle(3000);
  allocate(1, 1000, 2, 10); // before operations already applied
  allocate(1, 0, 3, 1);     // without a time
  EXPECT_EQ(Header->counters[LOOPSCOPE_COUNT_GPU_MEMORY_LATE], 2U);
  EXPECT_EQ(memoryOf(A).allocations, 3U);
  EXPECT_EQ(Store->device(0).memory_now, 111U);
}

TEST_F(GpuMemoryTest, ManyAllocationsLiveAtOnce) {
  call(1, A);
  constexpr uint64_t Count = 5000;
  for (uint64_t I = 1; I <= Count; ++I)
    allocate(1, 1100 + I, I * 7, I);
  for (uint64_t I = Count; I > 0; I -= 2) // every second one, backwards
    free(1, 10000 + I, I * 7, I);
  settle(UINT64_MAX);
  EXPECT_EQ(Store->device(0).memory_peak, Count * (Count + 1) / 2);
  EXPECT_EQ(Store->device(0).memory_now, Count * Count / 4);
}
} // namespace
