// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time and work of the simulated devices.

#include "Device.h"

#include "Cupti.h"
#include "Hardware.h"
#include "Scenario.h"
#include "Truth.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <mutex>

using namespace replay;

namespace {
std::atomic<uint64_t (*)()> Clock{nullptr};
std::mutex Mutex;
uint64_t Number = 0;
uint64_t LastEnd = 0;

uint64_t read(clockid_t Id) {
  timespec Time{};
  clock_gettime(Id, &Time);
  return static_cast<uint64_t>(Time.tv_sec) * 1000000000 +
         static_cast<uint64_t>(Time.tv_nsec);
}
// Before the tool set a clock, times were in another one: a time an hour ahead
// is from then, and has passed.
uint64_t sinceClock(uint64_t Time, uint64_t Now) {
  constexpr uint64_t Hour = 3600 * uint64_t(1000000000);
  return Time > Now + Hour ? 0 : Time;
}
} // namespace

uint64_t replay::timestamp() {
  auto *Callback = Clock.load();
  return Callback == nullptr ? read(CLOCK_REALTIME) : Callback();
}

void replay::setTimestampCallback(uint64_t (*Callback)()) { Clock = Callback; }

void replay::sleepUntil(uint64_t Time) {
  for (uint64_t Now = timestamp(); Now < sinceClock(Time, Now);
       Now = timestamp()) {
    uint64_t Rest = Time - Now;
    timespec Pause{static_cast<time_t>(Rest / 1000000000),
                   static_cast<long>(Rest % 1000000000)};
    nanosleep(&Pause, nullptr);
  }
}

void replay::put(ReplayStream &Stream, Work W, uint32_t Correlation) {
  const Scenario &S = scenario();
  std::unique_lock Lock(Mutex);
  Done D;
  static_cast<Work &>(D) = std::move(W);
  uint64_t Now = timestamp();
  D.Start = std::max(Now + S.LatencyNs, sinceClock(Stream.FreeAt, Now));
  D.End = D.Start + D.Ns;
  Stream.FreeAt = D.End;
  LastEnd = std::max(sinceClock(LastEnd, Now), D.End);
  D.Ended = D.End;
  D.Device = Stream.Device;
  D.Stream = Stream.Id;
  D.Correlation = Correlation;
  ++Number;
  if (S.Hold != 0 && Number % 2 == 0)
    D.Held = S.Hold;
  if (S.NoTimes != 0 && Number % S.NoTimes == 0)
    D.Start = D.End = 0;
  if (S.Orphans != 0 && Number % S.Orphans == 0)
    D.Correlation = 0;
  Lock.unlock();
  noteWork(D);
  noteHardware(D);
  record(D);
}

void replay::putNow(Work W, uint32_t Device, uint32_t Correlation) {
  Done D;
  static_cast<Work &>(D) = std::move(W);
  D.Start = D.End = D.Ended = timestamp();
  D.Device = Device;
  D.Correlation = Correlation;
  record(D);
}

uint64_t replay::allDoneAt() {
  std::lock_guard Lock(Mutex);
  return LastEnd;
}
