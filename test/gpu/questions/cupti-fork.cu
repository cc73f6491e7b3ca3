// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks CUPTI itself, without Loopscope, what it does in a process that was
// forked before CUDA's first call. Prints the records that child and parent got
// for 100 kernels each; a child that hangs is ended after 4 s.
//
//   cupti-fork HOW
//     loaded     CUPTI is only loaded before the fork
//     kept       subscribed before the fork, kept by both
//     again      subscribed before the fork; child and parent subscribe again
//     finalized  the same, with cuptiFinalize before the fork
//     child      subscribed before the fork; the child finalizes it and
//                subscribes again

#include "question.h"

#include <chrono>
#include <cstring>
#include <cupti.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

__global__ void work() { compute(1000); }

namespace {
long Kernels = 0;
CUpti_SubscriberHandle Subscriber;

void request(uint8_t **buffer, size_t *size, size_t *records) {
  *size = size_t(512) << 10;
  *buffer = static_cast<uint8_t *>(std::aligned_alloc(8, *size));
  *records = 0;
}

void complete(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid) {
  CUpti_Activity *record = nullptr;
  while (valid != 0 &&
         cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      ++Kernels;
  std::free(buffer);
}

void onCall(void *, CUpti_CallbackDomain, CUpti_CallbackId, const void *) {}

int subscribe() {
  const int code = cuptiSubscribe(&Subscriber, onCall, nullptr);
  cuptiEnableDomain(1, Subscriber, CUPTI_CB_DOMAIN_RUNTIME_API);
  return code;
}

void run(const char *who, int subscribed) {
  cuptiActivityRegisterCallbacks(request, complete);
  const int enabled = cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  for (int i = 0; i < 100; ++i)
    work<<<1, 32>>>();
  const cudaError_t worked = cudaDeviceSynchronize();
  std::printf("%s: subscribe %d enable %d, %s, ", who, subscribed, enabled,
              cudaGetErrorName(worked));
  std::fflush(stdout);
  const auto start = std::chrono::steady_clock::now();
  const int flushed = cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  std::printf("flush %d after %.1f ms, %ld kernels\n", flushed,
              std::chrono::duration<double, std::milli>(
                  std::chrono::steady_clock::now() - start)
                  .count(),
              Kernels);
  std::fflush(stdout);
}
} // namespace

int main(int count, char **arguments) {
  const std::string how = count > 1 ? arguments[1] : "kept";
  uint32_t version = 0;
  cuptiGetVersion(&version);
  int subscribed = how == "loaded" ? -1 : subscribe();
  if (how == "again" || how == "finalized")
    cuptiUnsubscribe(Subscriber);
  if (how == "finalized")
    std::printf("finalize %d\n", cuptiFinalize());
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    alarm(4);
    if (how == "child") {
      cuptiUnsubscribe(Subscriber);
      std::printf("child's finalize %d\n", cuptiFinalize());
    }
    run("child", how == "kept" ? subscribed : subscribe());
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("child's status %d\n", status);
  run("parent", how == "kept" || how == "child" ? subscribed : subscribe());
}
