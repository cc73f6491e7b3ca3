// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a case on two threads at once.

#include "Cases.h"

#include <atomic>
#include <thread>

namespace bench {
namespace {

double timePerSpan(uint64_t (*Run)(uint64_t), uint64_t Spans) {
  uint64_t Start = readTicks();
  uint64_t Ran = Run(Spans);
  return static_cast<double>(readTicks() - Start) / static_cast<double>(Ran);
}

} // namespace

std::function<double(uint64_t)> twoThreads(uint64_t (*Run)(uint64_t)) {
  // The partner thread lives for one batch: one that waits between batches
  // would slow down all other cases on a machine with two processors.
  return [Run](uint64_t Spans) {
    std::atomic<bool> Ready{false}, Go{false};
    double Theirs = 0;
    std::thread Partner([&] {
      Run(64); // the thread's first visits
      Ready.store(true, std::memory_order_release);
      while (!Go.load(std::memory_order_acquire))
        ;
      Theirs = timePerSpan(Run, Spans);
    });
    while (!Ready.load(std::memory_order_acquire))
      std::this_thread::yield();
    Go.store(true, std::memory_order_release);
    double Ours = timePerSpan(Run, Spans);
    Partner.join();
    return (Ours + Theirs) / 2;
  };
}

} // namespace bench
