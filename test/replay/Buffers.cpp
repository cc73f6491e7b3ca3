// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills the tool's buffers and gives them back.

#include "Buffers.h"

#include "Records.h"
#include "Scenario.h"
#include "Truth.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

using namespace loopscope::runtime;
using namespace replay;

namespace {
// A buffer of the tool's that CUPTI has.
struct Buffer {
  std::thread::id Owner;
  uint8_t *Memory = nullptr;
  size_t Room = 0;
  size_t Used = 0;
  bool Full = false;
  std::vector<Done> Records;
};

std::mutex Mutex;
cupti::BufferRequested Request = nullptr;
cupti::BufferCompleted Complete = nullptr;
size_t Dropped = 0;
uint64_t Placed = 0;

std::vector<Buffer> &buffers() {
  static auto &All = *new std::vector<Buffer>; // also while the program exits
  return All;
}

bool isComplete(const Done &D, uint64_t Now) {
  return D.Held == 0 && D.Ended + scenario().LateNs <= Now;
}

bool isComplete(const Buffer &B, uint64_t Now) {
  return std::all_of(B.Records.begin(), B.Records.end(),
                     [=](const Done &D) { return isComplete(D, Now); });
}

Buffer request(std::thread::id Owner) {
  Buffer New;
  New.Owner = Owner;
  size_t Most = 0;
  Request(&New.Memory, &New.Room, &Most);
  return New;
}

// Without room for it, the buffer is full.
bool fits(Buffer &B, size_t Size) {
  B.Full = B.Full || B.Used + Size > B.Room;
  return !B.Full;
}

// One that another tool gave CUPTI before.
void handBackForeign() {
  static std::vector<uint8_t> Memory(512, 0xff);
  Complete(nullptr, 0, Memory.data(), Memory.size(), Memory.size());
}

void handBack(Buffer B, uint64_t Now) {
  static bool WasForeign = false;
  if (scenario().Foreign && !std::exchange(WasForeign, true))
    handBackForeign();
  if (scenario().Reverse)
    std::reverse(B.Records.begin(), B.Records.end());
  uint8_t *At = B.Memory;
  for (Done &D : B.Records) {
    bool HasEnded = D.Ended <= Now;
    bool Readable = HasEnded || !scenario().Unreadable;
    if (!HasEnded)
      D.Start = D.End = 0;
    std::string Bytes = recordOf(D);
    std::memcpy(At, Bytes.data(), Bytes.size());
    if (!Readable)
      std::memset(At, 0, sizeof(cupti::Record));
    At += Bytes.size();
  }
  Complete(nullptr, 0, B.Memory, B.Room, B.Used);
}

// Gives back the buffers that IF is true for, as they are NOW.
template <typename Condition> void handBackAll(uint64_t Now, Condition If) {
  auto &All = buffers();
  auto Kept = std::stable_partition(All.begin(), All.end(),
                                    [&](const Buffer &B) { return !If(B); });
  std::vector<Buffer> Ready(std::make_move_iterator(Kept),
                            std::make_move_iterator(All.end()));
  All.erase(Kept, All.end());
  if (scenario().Reverse)
    std::reverse(Ready.begin(), Ready.end());
  for (Buffer &B : Ready)
    handBack(std::move(B), Now);
}

bool isReady(const Buffer &B, uint64_t Now) {
  return B.Full && isComplete(B, Now);
}

// CUPTI's worker, where there is a period.
[[noreturn]] void flushPeriodically() {
  for (;;) {
    std::this_thread::sleep_for(
        std::chrono::nanoseconds(scenario().FlushPeriodNs));
    std::lock_guard Lock(Mutex);
    uint64_t Now = timestamp();
    handBackAll(Now, [=](const Buffer &B) { return isReady(B, Now); });
  }
}

// The buffer that OWNER's next record of SIZE bytes goes into; null without.
Buffer *bufferOf(std::thread::id Owner, size_t Size) {
  for (Buffer &B : buffers())
    if (B.Owner == Owner && !B.Full && fits(B, Size))
      return &B;
  Buffer New = request(Owner);
  if (New.Memory == nullptr)
    return nullptr;
  buffers().push_back(std::move(New));
  return &buffers().back();
}
} // namespace

void replay::useBuffersOf(cupti::BufferRequested OnRequest,
                          cupti::BufferCompleted OnComplete) {
  std::lock_guard Lock(Mutex);
  Request = OnRequest;
  Complete = OnComplete;
  static bool HasWorker = false;
  if (scenario().FlushPeriodNs != 0 && !std::exchange(HasWorker, true))
    std::thread(flushPeriodically).detach();
}

void replay::place(const Done &D) {
  const Scenario &S = scenario();
  std::lock_guard Lock(Mutex);
  if (Request == nullptr)
    return;
  size_t Size = recordSize(D.Kind);
  Buffer *B = bufferOf(
      S.PerThread ? std::this_thread::get_id() : std::thread::id(), Size);
  if (B == nullptr || (S.Drop != 0 && ++Placed % S.Drop == 0)) {
    ++Dropped;
  } else {
    B->Records.push_back(D);
    B->Used += Size;
    B->Full = S.OneABuffer;
  }
  if (S.FlushPeriodNs != 0)
    return;
  uint64_t Now = timestamp();
  handBackAll(Now, [=](const Buffer &B) { return isReady(B, Now); });
}

void replay::flush(bool Forced) {
  std::lock_guard Lock(Mutex);
  uint64_t Now = timestamp();
  if (Forced)
    noteFlush(Now);
  handBackAll(Now,
              [=](const Buffer &B) { return Forced || isComplete(B, Now); });
  for (Buffer &B : buffers())
    for (Done &D : B.Records)
      D.Held -= D.Held != 0 ? 1 : 0;
}

size_t replay::takeDropped() {
  std::lock_guard Lock(Mutex);
  return std::exchange(Dropped, 0);
}

void replay::handOver(const std::vector<std::string> &Records) {
  std::lock_guard Lock(Mutex);
  Buffer B;
  auto Return = [&] {
    if (B.Memory != nullptr)
      Complete(nullptr, 0, B.Memory, B.Room, B.Used);
    B = {};
  };
  for (const std::string &Record : Records) {
    if (Request == nullptr)
      return;
    if (B.Memory == nullptr || !fits(B, Record.size())) {
      Return();
      B = request({});
    }
    if (B.Memory == nullptr) {
      ++Dropped;
      continue;
    }
    std::memcpy(B.Memory + B.Used, Record.data(), Record.size());
    B.Used += Record.size();
  }
  Return();
}
