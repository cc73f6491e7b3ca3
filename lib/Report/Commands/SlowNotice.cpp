// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits beside the work.

#include "Report/Commands/SlowNotice.h"

#include "Support/Printable.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <unistd.h>
#include <utility>

using namespace loopscope;

SlowNotice::SlowNotice(std::string Doing) : Doing(std::move(Doing)) {
  if (isatty(STDERR_FILENO) != 0)
    Waiting = std::thread([this] { show(); });
}

SlowNotice::~SlowNotice() {
  if (!Waiting.joinable())
    return;
  {
    std::lock_guard<std::mutex> Lock(Ending);
    IsOver = true;
  }
  Ended.notify_one();
  Waiting.join();
}

void SlowNotice::show() {
  std::unique_lock<std::mutex> Lock(Ending);
  if (Ended.wait_for(Lock, std::chrono::seconds(2), [this] { return IsOver; }))
    return;
  fmt::print(stderr, "\rloopscope: {} ...\033[K", printable(Doing));
  Ended.wait(Lock, [this] { return IsOver; });
  fmt::print(stderr, "\r\033[K");
}
