// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills the tool's buffers and returns them.

#include "Buffers.h"

#include "Records.h"
#include "Scenario.h"
#include "Truth.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

using namespace loopscope::runtime;
using namespace replay;

namespace {
// A tool's buffer in CUPTI's hands.
struct Buffer {
  unsigned Tool = 0;
  std::thread::id Owner;
  uint8_t *Memory = nullptr;
  size_t Room = 0;
  size_t Used = 0;
  bool Full = false;
  std::vector<Done> Records;
};

std::mutex Mutex;
size_t Dropped[MostTools];
uint64_t Placed = 0;

BufferClient &client(unsigned Tool) {
  static auto *All = new BufferClient[MostTools]; // like the next one
  return All[Tool];
}

std::vector<Buffer> &buffers() {
  static auto &All = *new std::vector<Buffer>; // used during exit
  return All;
}

bool isComplete(const Done &D, uint64_t Now) {
  return D.Held == 0 && D.Ended + scenario().LateNs <= Now;
}

bool isComplete(const Buffer &B, uint64_t Now) {
  return std::all_of(B.Records.begin(), B.Records.end(),
                     [=](const Done &D) { return isComplete(D, Now); });
}

// CUPTI 12.9 and later tolerate a tool that gives no buffer; the ones before
// write to address 0.
constexpr uint32_t FirstWithoutBuffer = 27;
void crashWithoutBuffer() {
  std::fputs("CUPTI: the tool gave no buffer\n", stderr);
  std::raise(SIGSEGV);
}

Buffer request(unsigned Tool, std::thread::id Owner) {
  Buffer New;
  New.Tool = Tool;
  New.Owner = Owner;
  size_t Most = 0;
  client(Tool).Request(&New.Memory, &New.Room, &Most);
  if (New.Memory == nullptr && scenario().CuptiVersion < FirstWithoutBuffer)
    crashWithoutBuffer();
  return New;
}

// If there is no room for it, the buffer is full.
bool fits(Buffer &B, size_t Size) {
  B.Full = B.Full || B.Used + Size > B.Room;
  return !B.Full;
}

// Returns a buffer that another tool gave to CUPTI earlier.
void handBackForeign() {
  static std::vector<uint8_t> Memory(512, 0xff);
  client(0).Complete(Memory.data(), Memory.size(), Memory.size());
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
  client(B.Tool).Complete(B.Memory, B.Room, B.Used);
}

// Returns the buffers for which IF is true, in their state at NOW.
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

// CUPTI's worker thread, if there is a period.
[[noreturn]] void flushPeriodically() {
  for (;;) {
    std::this_thread::sleep_for(
        std::chrono::nanoseconds(scenario().FlushPeriodNs));
    std::lock_guard Lock(Mutex);
    uint64_t Now = timestamp();
    handBackAll(Now, [=](const Buffer &B) { return isReady(B, Now); });
  }
}

// The buffer of TOOL for OWNER's next record of SIZE bytes; null if there is
// none.
Buffer *bufferOf(unsigned Tool, std::thread::id Owner, size_t Size) {
  for (Buffer &B : buffers())
    if (B.Tool == Tool && B.Owner == Owner && !B.Full && fits(B, Size))
      return &B;
  Buffer New = request(Tool, Owner);
  if (New.Memory == nullptr)
    return nullptr;
  buffers().push_back(std::move(New));
  return &buffers().back();
}
} // namespace

void replay::useBuffersOf(unsigned Tool, BufferClient Client) {
  std::lock_guard Lock(Mutex);
  client(Tool) = std::move(Client);
  static bool HasWorker = false;
  if (scenario().FlushPeriodNs != 0 && !std::exchange(HasWorker, true))
    std::thread(flushPeriodically).detach();
}

void replay::place(unsigned Tool, const Done &D) {
  const Scenario &S = scenario();
  std::lock_guard Lock(Mutex);
  if (!client(Tool).Request)
    return;
  size_t Size = recordSize(D.Kind);
  Buffer *B = bufferOf(
      Tool, S.PerThread ? std::this_thread::get_id() : std::thread::id(), Size);
  if (B == nullptr || (S.Drop != 0 && ++Placed % S.Drop == 0)) {
    ++Dropped[Tool];
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

size_t replay::takeDropped(unsigned Tool) {
  std::lock_guard Lock(Mutex);
  return std::exchange(Dropped[Tool], 0);
}

void replay::handOver(const std::vector<std::string> &Records) {
  std::lock_guard Lock(Mutex);
  Buffer B;
  auto Return = [&] {
    if (B.Memory != nullptr)
      client(0).Complete(B.Memory, B.Room, B.Used);
    B = {};
  };
  for (const std::string &Record : Records) {
    if (!client(0).Request)
      return;
    if (B.Memory == nullptr || !fits(B, Record.size())) {
      Return();
      B = request(0, {});
    }
    if (B.Memory == nullptr) {
      ++Dropped[0];
      continue;
    }
    std::memcpy(B.Memory + B.Used, Record.data(), Record.size());
    B.Used += Record.size();
  }
  Return();
}
