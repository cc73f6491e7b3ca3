// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells who waits at a terminal what a command is busy with.

#ifndef LOOPSCOPE_REPORT_COMMANDS_SLOWNOTICE_H
#define LOOPSCOPE_REPORT_COMMANDS_SLOWNOTICE_H

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace loopscope {

/// If standard error is a terminal, shows a line there after two seconds, and
/// takes it off at the end of its scope.
class SlowNotice {
public:
  /// \p Doing: what takes long, for example "reading train.loopscope".
  explicit SlowNotice(std::string Doing);
  ~SlowNotice();
  SlowNotice(const SlowNotice &) = delete;
  SlowNotice &operator=(const SlowNotice &) = delete;

private:
  void show();

  std::string Doing;
  std::mutex Ending;
  std::condition_variable Ended;
  bool IsOver = false; ///< under Ending
  std::thread Waiting; ///< none if there is no terminal
};

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_SLOWNOTICE_H
