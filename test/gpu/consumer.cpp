// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI activity with an empty consumer, to compare ours with: enables the
// runtime's kinds, and returns the buffers unread. For CUDA_INJECTION64_PATH;
// with CONSUMER_AT_START in the environment it starts when it is loaded
// (LD_PRELOAD), for a replayed GPU.
//
// CONSUMER_MEMORY: with records of memory.
// CONSUMER_CALLBACKS=both|runtime|driver|none: with empty callbacks for these
// calls ("none": a subscription without any); not set: no subscription.
// CONSUMER_COUNTS=FILE: counts the kernels and writes "kernels COUNT MS".

#include <cuda.h>
#include <cupti.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace {
constexpr size_t BufferBytes = size_t(512) * 1024;
std::mutex Mutex;
const char *Counts = nullptr;
unsigned long long Kernels = 0;
double Ms = 0;

void request(uint8_t **Buffer, size_t *Size, size_t *Records) {
  *Buffer = static_cast<uint8_t *>(std::aligned_alloc(8, BufferBytes));
  *Size = BufferBytes;
  *Records = 0;
}

void complete(CUcontext /*Context*/, uint32_t /*Stream*/, uint8_t *Buffer,
              size_t /*Size*/, size_t Valid) {
  CUpti_Activity *Record = nullptr;
  while (Counts != nullptr && Valid != 0 &&
         cuptiActivityGetNextRecord(Buffer, Valid, &Record) == CUPTI_SUCCESS) {
    if (Record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      continue;
    const auto *K = reinterpret_cast<CUpti_ActivityKernel9 *>(Record);
    std::lock_guard Lock(Mutex);
    ++Kernels;
    Ms += static_cast<double>(K->end - K->start) * 1e-6;
  }
  std::free(Buffer);
}

void onCall(void * /*Data*/, CUpti_CallbackDomain /*Domain*/,
            CUpti_CallbackId /*Id*/, const void * /*Call*/) {}

void subscribe(const char *To) {
  CUpti_SubscriberHandle Subscriber = nullptr;
  if (cuptiSubscribe(&Subscriber, onCall, nullptr) != CUPTI_SUCCESS)
    std::fprintf(stderr, "consumer: can't subscribe\n");
  const bool Both = std::strcmp(To, "both") == 0;
  if (Both || std::strcmp(To, "runtime") == 0)
    cuptiEnableDomain(1, Subscriber, CUPTI_CB_DOMAIN_RUNTIME_API);
  if (Both || std::strcmp(To, "driver") == 0)
    cuptiEnableDomain(1, Subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
}

void finish() {
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  std::FILE *File = Counts == nullptr ? nullptr : std::fopen(Counts, "w");
  if (File == nullptr)
    return;
  std::fprintf(File, "kernels %llu %.6f\n", Kernels, Ms);
  std::fclose(File);
}
} // namespace

extern "C" int InitializeInjection() {
  Counts = std::getenv("CONSUMER_COUNTS");
  cuptiActivityRegisterCallbacks(request, complete);
  for (CUpti_ActivityKind Kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
        CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_MEMCPY2,
        CUPTI_ACTIVITY_KIND_OVERHEAD, CUPTI_ACTIVITY_KIND_DEVICE,
        CUPTI_ACTIVITY_KIND_CONTEXT})
    if (cuptiActivityEnable(Kind) != CUPTI_SUCCESS)
      std::fprintf(stderr, "consumer: kind %d can't be enabled\n", Kind);
  if (std::getenv("CONSUMER_MEMORY") != nullptr &&
      cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMORY2) != CUPTI_SUCCESS)
    std::fprintf(stderr, "consumer: memory can't be recorded\n");
  if (const char *To = std::getenv("CONSUMER_CALLBACKS"))
    subscribe(To);
  std::atexit(finish);
  return 1;
}

__attribute__((constructor)) static void startAtOnce() {
  if (std::getenv("CONSUMER_AT_START") != nullptr)
    InitializeInjection();
}
