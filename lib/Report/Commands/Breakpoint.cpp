// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// perf_event_open.

#include "Report/Commands/Breakpoint.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

using namespace loopscope;

std::optional<Breakpoint> Breakpoint::set(int Thread, uint64_t Address) {
  perf_event_attr Wanted{};
  Wanted.size = sizeof(Wanted);
  Wanted.type = PERF_TYPE_BREAKPOINT;
  Wanted.bp_type = HW_BREAKPOINT_X;
  Wanted.bp_addr = Address;
  Wanted.bp_len = sizeof(long);
  Wanted.inherit = 1;
  Wanted.exclude_kernel = 1;
  Wanted.exclude_hv = 1;
  int Event = static_cast<int>(syscall(SYS_perf_event_open, &Wanted, Thread, -1,
                                       -1, PERF_FLAG_FD_CLOEXEC));
  if (Event < 0)
    return std::nullopt;
  return Breakpoint(Event);
}

Breakpoint::Breakpoint(Breakpoint &&From) noexcept
    : Event(std::exchange(From.Event, -1)) {}

Breakpoint::~Breakpoint() {
  if (Event >= 0)
    close(Event);
}

uint64_t Breakpoint::count() const {
  uint64_t Result = 0;
  return read(Event, &Result, sizeof(Result)) == sizeof(Result) ? Result : 0;
}

void Breakpoint::stop() { ioctl(Event, PERF_EVENT_IOC_DISABLE, 0); }
