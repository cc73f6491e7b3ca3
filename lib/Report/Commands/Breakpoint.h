// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts how often a thread of another process reaches an instruction, by a
// breakpoint of the CPU that the kernel lends (perf_event_open). The program
// isn't changed, only slowed down: each passage costs it some 20 microseconds
// on a virtual machine.

#ifndef LOOPSCOPE_REPORT_COMMANDS_BREAKPOINT_H
#define LOOPSCOPE_REPORT_COMMANDS_BREAKPOINT_H

#include <cstdint>
#include <optional>

namespace loopscope {

/// One breakpoint, counting. A thread has room for four.
class Breakpoint {
public:
  /// On the instruction at \p Address in thread \p Thread, a kernel's number,
  /// and in the threads that it starts from now on. Nothing if the kernel lends
  /// none: no permission, no such thread, no more room, another system.
  static std::optional<Breakpoint> set(int Thread, uint64_t Address);

  Breakpoint(Breakpoint &&From) noexcept;
  Breakpoint &operator=(Breakpoint &&) = delete;
  ~Breakpoint();

  /// Passages so far, also after the threads' end.
  uint64_t count() const;
  /// Counts no more; count() stays.
  void stop();

private:
  explicit Breakpoint(int Event) : Event(Event) {}
  int Event; // file descriptor; -1: moved from
};

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_BREAKPOINT_H
