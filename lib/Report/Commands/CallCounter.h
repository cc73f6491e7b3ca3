// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// While `loopscope run` samples a program that wasn't built with Loopscope:
// counts the calls of its likely main loop, exactly, where the kernel lends
// breakpoints.
//
//   1  after 1, 2, 4, 8, ... seconds, the loop is searched in the samples so
//      far
//   2  the heaviest calls in it get a breakpoint where they return to
//   3  a call that happens too often for its cost gets only a short look
//   4  at the end, the counts are appended to the profile

#ifndef LOOPSCOPE_REPORT_COMMANDS_CALLCOUNTER_H
#define LOOPSCOPE_REPORT_COMMANDS_CALLCOUNTER_H

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace loopscope {

/// Counts in the background, from its construction on.
class CallCounter {
public:
  /// \p Profiles gives the paths of the profiles that the program has begun so
  /// far. It is called on another thread, one call at a time, until finish().
  explicit CallCounter(std::function<std::vector<std::string>()> Profiles);
  ~CallCounter();
  CallCounter(const CallCounter &) = delete;
  CallCounter &operator=(const CallCounter &) = delete;

  /// When the program has ended: appends what was counted to its profile, and
  /// ends. Where nothing could be counted, nothing happens.
  void finish();

private:
  class Worker;
  std::unique_ptr<Worker> Of;
};

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_CALLCOUNTER_H
