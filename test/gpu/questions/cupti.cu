// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks CUPTI itself, without Loopscope, what its documents leave open. Prints
// one line for each answer.

#include "question.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <cupti.h>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

__global__ void brief() { compute(1000); }
__global__ void lasting() { compute(3000000000); }

namespace {
constexpr size_t BufferBytes = size_t(512) << 10;

struct Counts {
  std::atomic<long> asked{0}, returned{0}, empty{0};
  std::atomic<long> kernels{0}, noTime{0}, noEnd{0}, unreadable{0};
  std::atomic<unsigned long long> latest{0}; // ns from a record's end to its
                                             // buffer's return
};
Counts All;
std::atomic<long> OfSecond{0};
std::mutex Mutex;
std::set<std::string> NamesOfCalls, NamesOfRecords;
std::atomic<long> SameNames{0}, OtherNames{0};
std::set<const char *> AddressesOfCalls;

void request(uint8_t **buffer, size_t *size, size_t *records) {
  ++All.asked;
  *buffer = static_cast<uint8_t *>(std::aligned_alloc(8, BufferBytes));
  *size = BufferBytes;
  *records = 0;
}

void note(const CUpti_ActivityKernel9 &kernel, uint64_t now) {
  ++All.kernels;
  if (kernel.start == 0 && kernel.end == 0)
    ++All.noTime;
  else if (kernel.end == 0)
    ++All.noEnd;
  else if (now > kernel.end && now - kernel.end > All.latest)
    All.latest = now - kernel.end;
  std::lock_guard lock(Mutex);
  NamesOfRecords.insert(kernel.name == nullptr ? "" : kernel.name);
  ++(AddressesOfCalls.count(kernel.name) != 0 ? SameNames : OtherNames);
}

void complete(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid) {
  ++All.returned;
  if (valid == 0)
    ++All.empty;
  uint64_t now = 0;
  cuptiGetTimestamp(&now);
  CUpti_Activity *record = nullptr;
  CUptiResult code = CUPTI_SUCCESS;
  while (valid != 0 && (code = cuptiActivityGetNextRecord(
                            buffer, valid, &record)) == CUPTI_SUCCESS)
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      note(*reinterpret_cast<CUpti_ActivityKernel9 *>(record), now);
  if (valid != 0 && code != CUPTI_ERROR_MAX_LIMIT_REACHED)
    ++All.unreadable;
  std::free(buffer);
}

void requestSecond(uint8_t **buffer, size_t *size, size_t *records) {
  ++OfSecond;
  request(buffer, size, records);
}

void onCall(void *, CUpti_CallbackDomain domain, CUpti_CallbackId,
            const void *data) {
  const auto &call = *static_cast<const CUpti_CallbackData *>(data);
  if (call.callbackSite != CUPTI_API_ENTER || call.symbolName == nullptr ||
      domain != CUPTI_CB_DOMAIN_DRIVER_API)
    return;
  std::lock_guard lock(Mutex);
  NamesOfCalls.insert(call.symbolName);
  AddressesOfCalls.insert(call.symbolName);
}

void print(const char *when) {
  std::printf("%s: buffers asked %ld returned %ld (empty %ld), kernels %ld, no "
              "time %ld, no end %ld, unreadable %ld, latest %.1f ms\n",
              when, All.asked.load(), All.returned.load(), All.empty.load(),
              All.kernels.load(), All.noTime.load(), All.noEnd.load(),
              All.unreadable.load(), All.latest.load() * 1e-6);
  std::fflush(stdout);
}

void printAttributes() {
  static constexpr CUpti_ActivityAttribute Known[] = {
      CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE,
      CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT,
      CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE};
  for (CUpti_ActivityAttribute each : Known) {
    size_t value = 0, size = sizeof(value);
    const CUptiResult code = cuptiActivityGetAttribute(each, &size, &value);
    std::printf("attribute %d: %zu (code %d)\n", each, value, code);
  }
}

size_t freeMemory() {
  size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  return free;
}

void launch(int count) {
  for (int i = 0; i < count; ++i)
    brief<<<1, 32>>>();
}

void pause(int ms) {
  std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}
} // namespace

int main() {
  uint32_t version = 0;
  cuptiGetVersion(&version);
  std::printf("CUPTI %u\n", version);
  cudaFree(nullptr);
  const size_t before = freeMemory();
  printAttributes();
  CUpti_SubscriberHandle subscriber;
  std::printf("subscribe %d\n", cuptiSubscribe(&subscriber, onCall, nullptr));
  cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
  cuptiActivityRegisterCallbacks(request, complete);
  std::printf("enable %d\n",
              cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
  launch(1000);
  cudaDeviceSynchronize();
  std::printf("CUPTI's device memory after 1,000 kernels: %.1f MB\n",
              static_cast<double>(before - freeMemory()) * 1e-6);
  launch(500000);
  cudaDeviceSynchronize();
  std::printf("after 501,000: %.1f MB\n",
              static_cast<double>(before - freeMemory()) * 1e-6);
  print("without a flush, at once");
  pause(500);
  print("0.5 s later");
  cuptiActivityFlushAll(0);
  print("after a plain flush");
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  print("after a forced flush");

  All.latest = 0;
  lasting<<<1, 32>>>();
  launch(10);
  pause(300);
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  print("forced while a kernel runs");
  cudaDeviceSynchronize();
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  print("forced after its end");

  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back(launch, 1000);
  for (std::thread &each : threads)
    each.join();
  cudaDeviceSynchronize();
  print("8 threads of 1,000 kernels ended");
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  print("forced after them");

  std::printf("register a second pair %d\n",
              cuptiActivityRegisterCallbacks(requestSecond, complete));
  launch(20000);
  cudaDeviceSynchronize();
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  std::printf("requests of the second pair: %ld\n", OfSecond.load());
  std::printf("names: %zu of calls, %zu of records, at the call's address "
              "%ld, elsewhere %ld\n",
              NamesOfCalls.size(), NamesOfRecords.size(), SameNames.load(),
              OtherNames.load());
  for (const std::string &each : NamesOfCalls)
    std::printf("name of a call: %s\n", each.c_str());
  for (const std::string &each : NamesOfRecords)
    std::printf("name of a record: %s\n", each.c_str());
  CUpti_SubscriberHandle second;
  std::printf("a second subscriber gets %d\n",
              cuptiSubscribe(&second, onCall, nullptr));
  cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  print("after disabling");
  std::printf("finalize %d\n", cuptiFinalize());
  print("after the end");
  return 0;
}
